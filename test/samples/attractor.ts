/** Nodes from which a player can force the play somewhere, and how fast: by going back, counting edges that are left. */

/** Moves of an attacker or a defender from a node, or that the attacker has won there. */
export type AttractorNode =
  | 'won'
  | { readonly chooses: 'attacker' | 'defender'; readonly next: readonly string[] };

/** The nodes from which the attacker wins, and in how many edges: the attacker as fast as can be, the defender as late. */
export function attractor(places: ReadonlyMap<string, AttractorNode>): Map<string, number> {
  const before = new Map<string, string[]>();
  const left = new Map<string, number>();
  let reached: string[] = [];
  for (const [name, place] of places) {
    if (place === 'won') {
      reached.push(name);
      continue;
    }
    const next = new Set(place.next);
    left.set(name, place.chooses === 'attacker' ? 1 : next.size);
    for (const to of next) {
      if (!places.has(to)) throw new Error(`${name} leads to ${to}, which is not a node`);
      if (!before.has(to)) before.set(to, []);
      before.get(to)!.push(name);
    }
  }
  const distances = new Map<string, number>();
  for (let distance = 0; reached.length > 0; distance++) {
    for (const name of reached) distances.set(name, distance);
    const further = new Set<string>();
    for (const to of reached) {
      for (const name of before.get(to) ?? []) {
        if (distances.has(name)) continue;
        left.set(name, left.get(name)! - 1);
        if (left.get(name)! <= 0) further.add(name);
      }
    }
    reached = [...further];
  }
  return distances;
}
