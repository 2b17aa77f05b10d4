/**
 * The first solver that somebody would write for a keyed game: a map from keys to records, and going back from the ends. It counts
 * ways out and keeps lists of predecessors, so it is right for every game, with circles and passes, too. It knows no symmetries and no layers.
 * `node naive-keyed.js WIDTH HEIGHT` solves Connect Four, and prints what it found and what that took.
 */
import type { KeyedGame, Side } from 'mergemate';
import { peakRss } from '../../jobs/runtime/process-memory.js';
import { connectFour } from '../../samples/connect-four/rules.js';

/** A position: what is known of it for the side to move. */
export interface NaiveNode<Position> {
  readonly position: Position;
  readonly mover: Side;
  /** 1 won, -1 lost, 0 neither. */
  value: 1 | 0 | -1;
  /** Until the end, if it is won or lost. */
  plies: number;
  /** Moves that are not known to lose. */
  left: number;
  readonly predecessors: NaiveNode<Position>[];
}

/** @throws Error if the game has scores. */
export function solvedFirst<Position, Key extends bigint | number>(
  game: KeyedGame<Position, Key>,
): Map<Key, NaiveNode<Position>> {
  if (game.score !== undefined) throw new Error(`${game.name}: it has scores`);
  const nodes = new Map<Key, NaiveNode<Position>>();
  const found: NaiveNode<Position>[] = [];
  const decided: NaiveNode<Position>[] = [];
  const nodeOf = (position: Position): NaiveNode<Position> => {
    const key = game.key(position);
    let node = nodes.get(key);
    if (node === undefined) {
      node = { position, mover: game.mover(position), value: 0, plies: 0, left: 0, predecessors: [] };
      nodes.set(key, node);
      found.push(node);
    }
    return node;
  };
  for (const root of game.roots()) nodeOf(root);
  for (const node of found) {
    let end = game.ended?.(node.position) ?? null;
    if (end === null) {
      for (const [, after] of game.moves(node.position)) {
        nodeOf(after).predecessors.push(node);
        node.left++;
      }
      if (node.left === 0) end = game.stuck ?? 'lost';
    }
    if (end === null || end === 'drawn') continue;
    node.value = end === 'won' ? 1 : -1;
    decided.push(node);
  }
  for (const node of decided) {
    for (const before of node.predecessors) {
      if (before.value !== 0) continue;
      const value = before.mover === node.mover ? node.value : -node.value;
      if (value < 0 && --before.left > 0) continue;
      before.value = value > 0 ? 1 : -1;
      before.plies = node.plies + 1;
      decided.push(before);
    }
  }
  return nodes;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [width, height] = process.argv.slice(2).map(Number);
  const began = performance.now();
  const game = connectFour(width, height);
  const nodes = solvedFirst(game);
  const { user, system } = process.cpuUsage();
  const wallMs = performance.now() - began;
  const [root] = [...game.roots()].map((position) => nodes.get(game.key(position))!);
  const figures = { wallMs, cpuMs: (user + system) / 1000, peakRssBytes: peakRss() };
  process.stdout.write(
    `${JSON.stringify({ positions: nodes.size, root: root.value, rootPlies: root.plies, ...figures })}\n`,
  );
}
