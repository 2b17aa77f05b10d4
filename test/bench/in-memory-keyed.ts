/**
 * The plain way to solve a keyed game, for comparison. `node in-memory-keyed.js WIDTH HEIGHT` finds the positions of
 * Connect Four with a map of keys. It keeps the moves in an array, and goes through the positions backwards. That is
 * right for games without circles whose moves all lead one layer on. Prints what it found and what that took.
 */
import { peakRss } from '../../jobs/runtime/process-memory.js';
import type { KeyedGame } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { connectFour } from '../../samples/connect-four/rules.js';

/** A game as a map finds it: positions and moves with symmetric ones merged, and from how many each side wins. */
export interface SolvedNaively {
  readonly positions: number;
  readonly moves: number;
  readonly won: readonly [number, number];
  /** For the side to move at the root: 1, 0, -1; and the plies until then. */
  readonly root: number;
  readonly rootPlies: number;
}

/** Solves a game with numbers for keys, in which each move adds a man. */
export function solvedNaively<Position>(game: KeyedGame<Position, number>): SolvedNaively {
  const keyOf = (position: Position): number => {
    let least = game.key(position);
    for (const image of game.symmetries?.(position) ?? []) least = Math.min(least, game.key(image));
    return least;
  };
  const numbers = new Map<number, number>();
  const keys: number[] = [];
  const numberOf = (position: Position): number => {
    const key = keyOf(position);
    let number = numbers.get(key);
    if (number === undefined) {
      number = keys.push(key) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  const starts: number[] = [];
  const successors: number[] = [];
  const ends: (1 | -1 | 0 | null)[] = [];
  const movers: number[] = [];
  for (const root of game.roots()) numberOf(root);
  for (let i = 0; i < keys.length; i++) {
    const position = game.position(keys[i]);
    const end = game.ended?.(position) ?? null;
    starts[i] = successors.length;
    movers[i] = game.mover(position);
    if (end === null) for (const [, after] of game.moves(position)) successors.push(numberOf(after));
    const isStuck = end === null && successors.length === starts[i];
    ends[i] =
      end === 'lost'
        ? -1
        : end === 'won'
          ? 1
          : end === 'drawn' || (isStuck && game.stuck === 'drawn')
            ? 0
            : isStuck
              ? -1
              : null;
  }
  starts.push(successors.length);
  const values = new Int8Array(keys.length);
  const plies = new Uint8Array(keys.length);
  const won: [number, number] = [0, 0];
  for (let i = keys.length - 1; i >= 0; i--) {
    let best: number = ends[i] ?? -2;
    if (ends[i] === null)
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        const after = successors[e];
        const value = -values[after];
        const length = plies[after] + 1;
        const isNearer = value > 0 ? length < plies[i] : length > plies[i];
        if (value > best || (value === best && isNearer)) {
          best = value;
          plies[i] = length;
        }
      }
    values[i] = best;
    if (best !== 0) won[best > 0 ? movers[i] : 1 - movers[i]]++;
  }
  return { positions: keys.length, moves: successors.length, won, root: values[0], rootPlies: plies[0] };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [width, height] = process.argv.slice(2).map(Number);
  const began = performance.now();
  const solved = solvedNaively(connectFour(width, height));
  const { user, system } = process.cpuUsage();
  const wallMs = performance.now() - began;
  process.stdout.write(
    `${JSON.stringify({ ...solved, wallMs, cpuMs: (user + system) / 1000, peakRssBytes: peakRss() })}\n`,
  );
}
