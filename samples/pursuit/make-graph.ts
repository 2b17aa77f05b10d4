/**
 * `tsx make-graph.ts town.txt [cops]`: cops and a robber in the streets of a town, as a graph for `mergemate solve`, in
 * JSON Lines on standard output. First the cops choose their corners, then the robber his; then they move in turn, the
 * cops first. Whoever moves goes to a next corner or stays; so does each of the cops. The robber is caught where a cop is.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The corners next to each corner. */
export type Streets = ReadonlyMap<string, ReadonlySet<string>>;

export function readStreets(text: string): Streets {
  const streets = new Map<string, Set<string>>();
  const corner = (name: string) => streets.get(name) ?? streets.set(name, new Set()).get(name)!;
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line.trim() === '') continue;
    const names = line.trim().split(/\s+/);
    corner(names[0]);
    for (let i = 1; i < names.length; i++) {
      corner(names[i - 1]).add(names[i]);
      corner(names[i]).add(names[i - 1]);
    }
  }
  return streets;
}

/** Cops are all alike: their corners are in the order of the alphabet. */
export function nameOf(cops: readonly string[], robber: string, mover: 'cops' | 'robber'): string {
  return `${[...cops].sort().join('+')} ${robber} ${mover}`;
}

/** All ways to choose one of each. */
function* choices(of: readonly (readonly string[])[]): Generator<string[]> {
  const [first, ...others] = of;
  if (first === undefined) yield [];
  else for (const one of first) for (const rest of choices(others)) yield [one, ...rest];
}

/** The lines of the graph. Its first node is `start`, where the cops choose their corners. */
export function* pursuit(streets: Streets, cops: number): Generator<string> {
  const corners = [...streets.keys()].sort();
  const steps = new Map(corners.map((corner) => [corner, [corner, ...streets.get(corner)!]]));
  const sameForAll = new Array<string[]>(cops).fill(corners);
  const placements = [...choices(sameForAll)].filter((places) =>
    places.every((place, i) => i === 0 || places[i - 1] <= place),
  );
  const line = (node: object) => JSON.stringify(node);

  yield line({ players: ['pursuer', 'robber'] });
  yield line({ id: 'start', owner: 'pursuer', edges: placements.map((places) => `${places.join('+')}`) });
  for (const places of placements) {
    const id = places.join('+');
    yield line({ id, owner: 'robber', edges: corners.map((corner) => nameOf(places, corner, 'cops')) });
    const next = [...choices(places.map((place) => steps.get(place)!))];
    for (const robber of corners) {
      const [beforeCops, beforeRobber] = [nameOf(places, robber, 'cops'), nameOf(places, robber, 'robber')];
      if (places.includes(robber)) {
        yield line({ id: beforeCops, winner: 'pursuer' });
        yield line({ id: beforeRobber, winner: 'pursuer' });
        continue;
      }
      const chased = [...new Set(next.map((after) => nameOf(after, robber, 'robber')))];
      const fled = steps.get(robber)!.map((corner) => nameOf(places, corner, 'cops'));
      yield line({ id: beforeCops, owner: 'pursuer', edges: chased });
      yield line({ id: beforeRobber, owner: 'robber', edges: fled });
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , path, cops = '1'] = process.argv;
  for (const line of pursuit(readStreets(readFileSync(path, 'utf8')), Number(cops))) console.log(line);
}
