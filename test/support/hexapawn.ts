/**
 * Hexapawn (Martin Gardner, Scientific American, March 1962): pawns of chess on a small board. Who reaches the last rank has won, and who
 * cannot move has lost. Positions are text, from the upper row to the lower one. Written for tests, without a word of symmetries.
 */
import type { KeyedGame, NamedMove, Side } from 'mergemate';

export interface Pawns {
  /** By squares from the lower left, row by row: 0 empty, 1 White, 2 Black. */
  readonly squares: readonly number[];
  readonly side: Side;
}

/** @param width of the board, as many pawns each. */
export function hexapawn(width: number, height: number): KeyedGame<Pawns, number> {
  const at = (x: number, y: number) => y * width + x;
  const isOn = (x: number, y: number) => x >= 0 && x < width && y >= 0 && y < height;

  function moves({ squares, side }: Pawns): NamedMove<Pawns>[] {
    const own = side + 1;
    const ahead = side === 0 ? 1 : -1;
    const found: NamedMove<Pawns>[] = [];
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        if (squares[at(x, y)] !== own) continue;
        for (const aside of [-1, 0, 1]) {
          const [tx, ty] = [x + aside, y + ahead];
          if (!isOn(tx, ty) || squares[at(tx, ty)] !== (aside === 0 ? 0 : 3 - own)) continue;
          const after = [...squares];
          after[at(x, y)] = 0;
          after[at(tx, ty)] = own;
          found.push([`${x}${y}-${tx}${ty}`, { squares: after, side: (1 - side) as Side }]);
        }
      }
    return found;
  }

  return {
    name: `hexapawn-${width}x${height}`,
    roots: () => [
      {
        squares: Array.from({ length: width * height }, (_, square) =>
          square < width ? 1 : square >= width * (height - 1) ? 2 : 0,
        ),
        side: 0,
      },
    ],
    key: ({ squares, side }) => squares.reduce((key, square) => key * 3 + square, 0) * 2 + side,
    position(key) {
      const squares = Array.from({ length: width * height }, () => 0);
      let rest = Math.floor(key / 2);
      for (let i = squares.length - 1; i >= 0; i--, rest = Math.floor(rest / 3)) squares[i] = rest % 3;
      return { squares, side: (key % 2) as Side };
    },
    mover: ({ side }) => side,
    moves,
    // The pawn that arrived is the other player's.
    ended: ({ squares, side }) => {
      const row = side === 0 ? 0 : height - 1;
      return squares.slice(at(0, row), at(width, row)).includes(2 - side) ? 'lost' : null;
    },
  };
}

/** Mirrored, turned by colours, and both. */
export function pawnSymmetries(width: number, height: number) {
  return ({ squares, side }: Pawns): Pawns[] => {
    const mirrored = squares.map(
      (_, square) => squares[square - (square % width) + width - 1 - (square % width)],
    );
    const exchanged = (from: readonly number[]) =>
      from.map((_, square) => {
        const man = from[(height - 1 - Math.floor(square / width)) * width + (square % width)];
        return man === 0 ? 0 : 3 - man;
      });
    const other = (1 - side) as Side;
    return [
      { squares: mirrored, side },
      { squares: exchanged(squares), side: other },
      { squares: exchanged(mirrored), side: other },
    ];
  };
}
