/**
 * How many boards a canonical position stands for. The rules of the game know no symmetries, so orbits are found by
 * playing: boards that are located at one address are of one orbit. Three things are asked.
 *
 * - Single positions: the boards that moves lead to are no more than their orbit.
 * - A move from p to q within the slice: every board of p has as many moves to boards of q, k. Every board of q is
 *   reached from as many boards of p. So orbit(p) · k is a multiple of orbit(q).
 * - Small slices: all boards are found that can be reached. Moves commute with symmetries. Suppose all boards of p
 *   were found. Then all boards of the positions that p leads to were found, too, and are as many as their orbits
 *   say.
 */
import type { Address } from '../game/game.js';
import { times } from '../games/yours/definition.js';
import { movesFrom } from './kernels.js';
import { type PositionCheck, withoutBoards } from './position-checks.js';
import { addressText, countOf, home, isRepeat, type Subject } from './subject.js';
import type { Fault } from './violation.js';

/** -1 if the game returns different values for one position. */
export function orbitAt({ slice }: Subject, { part, key }: Address): number {
  const sizes = Uint8Array.of(0, 0);
  slice.orbitSizes(part, Uint32Array.of(key, key), 2, sizes);
  return sizes[0] === sizes[1] ? sizes[0] : -1;
}

function orbit(subject: Subject, at: Address): Fault | null {
  const here = orbitAt(subject, home(subject.game, at));
  if (here < 1) return { kernel: `orbitSizes says ${here}`, rules: 'a position is at least one board' };
  const targets = movesFrom(subject, at).map((to) => home(subject.game, to));
  const counts = countOf(targets.map(addressText));
  for (const to of new Map(targets.map((target) => [addressText(target), target])).values()) {
    const there = orbitAt(subject, to);
    const moves = counts.get(addressText(to))!;
    if ((here * moves) % there !== 0)
      return {
        kernel: `orbitSizes says ${here}, and ${there} for ${addressText(to)}`,
        rules: `moves leads there ${times(moves)}, so ${here} · ${moves} is a multiple of ${there}`,
      };
  }
  return null;
}

export const orbitCheck: PositionCheck = { rule: 'orbits', every: 2, absent: withoutBoards, check: orbit };

/** Boards of a small slice. */
const MOST_BOARDS = 10_000;

interface Orbit {
  readonly at: Address;
  readonly boards: Set<string>;
  /** Positions of the slice that its boards lead to. */
  readonly leadsTo: Set<string>;
}

/**
 * Follows all boards of a slice. Returns the first position whose boards are not as many as its orbit says, or null,
 * also if the slice is not small. `pause` is waited for now and then.
 */
export async function wrongOrbit(
  subject: Subject,
  pause: () => Promise<void>,
): Promise<{ at: Address; fault: Fault } | null> {
  const { game, slice, hasBoards } = subject;
  if (!hasBoards || 2 * slice.size > MOST_BOARDS) return null;
  const orbits = new Map<string, Orbit>();
  const open: { board: unknown; from: Orbit }[] = [];
  let boards = 0;
  // The colours of a slice that is its own mirror image are not a symmetry of the board.
  const found = (board: unknown, at: Address): Orbit => {
    const name = `${addressText(at)} ${game.mover(board)}`;
    let orbit = orbits.get(name);
    if (orbit === undefined) orbits.set(name, (orbit = { at, boards: new Set(), leadsTo: new Set() }));
    const text = game.format(board);
    if (!orbit.boards.has(text)) {
      orbit.boards.add(text);
      boards++;
      open.push({ board, from: orbit });
    }
    return orbit;
  };

  for (const side of [0, 1] as const) {
    if (subject.mirrored && side === 1) break;
    for (let part = 0; part < slice.parts; part++) {
      for (let key = 0; key < slice.partSize(part); key++) {
        const at = { slice: slice.name, side, part, key };
        if (!subject.isLegal(side, part, key) || isRepeat(slice, at)) continue;
        const here = subject.boardAt(at);
        if (typeof here !== 'string') found(here.board, at);
      }
    }
  }
  for (let next = 0; next < open.length; next++) {
    if (boards > MOST_BOARDS) return null;
    if (next % 64 === 0) await pause();
    const { board, from } = open[next];
    for (const move of game.moves(board)) {
      const there = game.locate(move.board);
      if (there.slice !== slice.name) continue;
      found(move.board, there);
      from.leadsTo.add(`${addressText(there)} ${game.mover(move.board)}`);
    }
  }

  const said = (orbit: Orbit): number => orbitAt(subject, orbit.at);
  for (const orbit of orbits.values()) {
    if (orbit.boards.size > said(orbit)) return wrong(orbit, said(orbit), 'at least');
  }
  for (const orbit of orbits.values()) {
    if (orbit.boards.size !== said(orbit)) continue;
    for (const name of orbit.leadsTo) {
      const there = orbits.get(name)!;
      if (there.boards.size !== said(there)) return wrong(there, said(there), '');
    }
  }
  return null;
}

function wrong({ at, boards }: Orbit, said: number, least: string) {
  return {
    at,
    fault: {
      kernel: `orbitSizes says ${said}`,
      rules:
        `${least} ${boards.size} boards are located there: ${[...boards].slice(0, 2).join(', ')}, …`.trim(),
    },
  };
}
