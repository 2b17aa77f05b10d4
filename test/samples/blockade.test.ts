/** Kings and pawns from a FEN: moves and ends against chess.js, values against a naive solver. */
import { Chess } from 'chess.js';
import { keyedGame } from 'mergemate';
import { expect, test } from 'vitest';
import { type Blockade, blockade } from '../../samples/blockade/rules.js';
import { ifShort, LONG, LONGEST } from '../support/long.js';
import { naiveValues, solvedValues } from '../support/naive-keyed.js';

/** Two pawns that block each other; whoever takes the other's may make a queen. */
const LOCKED = '8/8/8/p1k5/P7/2K5/8/8 w - - 0 1';
/** Pawns of both sides run, and take each other. */
const OPEN = '8/8/1k1p4/2p5/3PP3/8/2K5/8 w - - 0 1';

/** The moves of a position by chess.js, and what the sample's end of the game makes of those to the last row. */
function movesByChessJs(fen: string): string[] {
  const chess = new Chess(fen, { skipValidation: true });
  return chess
    .moves({ verbose: true })
    .filter(({ promotion }) => promotion === undefined || promotion === 'q')
    .flatMap((move) => {
      const name = move.san.replace(/[+#]$/, '');
      if (move.promotion === undefined)
        return [
          `${name}: ${new Chess(move.after, { skipValidation: true }).fen().split(' ').slice(0, 2).join(' ')}`,
        ];
      const replies = new Chess(move.after, { skipValidation: true }).moves({ verbose: true });
      if (replies.some(({ to }) => to === move.to)) return [];
      const mine = move.color === 'w' ? 'white' : 'black';
      return [
        `${name}: ${replies.some((reply) => reply.promotion !== undefined) ? 'both have queens' : `${mine} has a queen`}`,
      ];
    })
    .sort();
}

const MOST = LONG ? 60_000 : 9_000;

/** Every `step`th of the first {@link MOST} positions from a FEN, in the order in which they are found. */
function* reachable(fen: string, step: number): Generator<Blockade> {
  const game = blockade('blockade', fen);
  const found = new Set<number>();
  const queue = [...game.roots()];
  for (const position of queue) {
    if (found.size === MOST) return;
    if (found.has(game.key(position))) continue;
    found.add(game.key(position));
    if (found.size % step === 0) yield game.position(game.key(position));
    if (game.ended!(position) === null) for (const [, after] of game.moves(position)) queue.push(after);
  }
}

function compareMoves(fen: string, step: number): number {
  const game = blockade('blockade', fen);
  const text = (position: Blockade) =>
    position.over === null ? game.format!(position).split(' ').slice(0, 2).join(' ') : game.format!(position);
  let compared = 0;
  for (const position of reachable(fen, step)) {
    if (position.over !== null) continue;
    const found = game.format!(position);
    const chess = new Chess(found, { skipValidation: true });
    const moves = [...game.moves(position)].map(([name, after]) => `${name}: ${text(after)}`).sort();
    expect([found, moves]).toEqual([found, movesByChessJs(found)]);
    const hasPawns = /p/i.test(found.split(' ')[0]);
    const end = !hasPawns ? 'drawn' : moves.length > 0 ? null : chess.inCheck() ? 'lost' : 'drawn';
    expect([found, game.ended!(position)]).toEqual([found, end]);
    expect(game.key(game.parse!(found))).toBe(game.key(position));
    compared++;
  }
  return compared;
}

test('moves and ends are those of chess.js', () => {
  const step = LONGEST ? 1 : LONG ? 15 : 60;
  expect(compareMoves(LOCKED, step)).toBeGreaterThan(((5 / 6) * MOST) / step);
  const stepOfOpen = Math.min(20 * step, 300);
  expect(compareMoves(OPEN, stepOfOpen)).toBeGreaterThan(((2 / 3) * MOST) / stepOfOpen - 1);
}, 900_000);

test.skipIf(!LONG)(
  `all values of a locked pair of pawns are those of a naive solver${ifShort}`,
  async () => {
    const naive = naiveValues(blockade('blockade', LOCKED));
    const { values } = await solvedValues(keyedGame(blockade('blockade', LOCKED)));
    expect(values.size).toBe(naive.size);
    expect([...values].filter(([key, value]) => naive.get(key) !== value)).toEqual([]);
    expect(new Set([...naive.values()].map(Math.sign)).size).toBe(3);
  },
  120_000,
);

test('bad FENs are refused with the reason', () => {
  expect(() => blockade('x', '8/k7/8/8/8/8/P7/K7 w - - 0 1')).toThrow('no pawn may stand on a2 here');
  expect(() => blockade('x', '8/8/8/8/8/kp6/8/K7 w - - 0 1')).not.toThrow();
  expect(() => blockade('x', '8/8/8/8/8/8/kp6/K7 b - - 0 1')).toThrow('could be taken');
  expect(() => blockade('x', '8/8/Q7/8/k7/8/8/K7 w - - 0 1')).toThrow('write it as a FEN of kings and pawns');
  expect(() => blockade('x', '8/pp6/pppp4/pp6/k7/8/8/K7 w - - 0 1')).toThrow('no pawn may stand on');
  expect(() => blockade('x', '8/8/pppp4/pppp4/8/7k/8/K7 w - - 0 1')).toThrow('keys hold 7');
});
