/** The board of chess: FEN, and moves as UCI writes them. */
import type { Colour } from '../../../pipeline/game.js';
import { type BoardKind, type Cell, cellsByName, type Man, type Setup } from './kind.js';

const NAMES: Readonly<Record<string, string>> = {
  k: 'king',
  q: 'queen',
  r: 'rook',
  b: 'bishop',
  n: 'knight',
  p: 'pawn',
};

export function colourOf(man: Man): Colour {
  return man === man.toUpperCase() ? 'white' : 'black';
}

function cellName(cell: Cell): string {
  return `${'abcdefgh'[cell & 7]}${8 - (cell >> 3)}`;
}

const cells = cellsByName(cellName);

/** One that mates or is mated stands where it likes; whether the position is legal, the source says. */
function read(position: string): Setup | null {
  const [placement = '', mover] = position.trim().split(/\s+/);
  const rows = placement.split('/').map((row) => row.replace(/[1-8]/g, (free) => ' '.repeat(Number(free))));
  if (rows.length !== 8 || rows.some((row) => !/^[kqrbnp ]{8}$/i.test(row))) return null;
  const men = [...rows.join('')].flatMap((man, cell) => (man === ' ' ? [] : [[cell, man] as const]));
  return { men: new Map(men), mover: mover === 'b' ? 'black' : 'white' };
}

function write({ men, mover }: Setup): string {
  const rows = Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 8 }, (_, column) => men.get(8 * row + column) ?? ' ')
      .join('')
      .replace(/ +/g, (free) => String(free.length)),
  );
  return `${rows.join('/')} ${mover[0]} - - 0 1`;
}

export const chessKind: BoardKind = {
  game: 'chess',
  palette: [...'KQRBNPkqrbnp'],
  manName: (man) => `${colourOf(man)} ${NAMES[man.toLowerCase()]}`,
  cellName,
  read,
  write,
  path: (uci) => [uci.slice(0, 2), uci.slice(2, 4)].map((name) => cells.get(name)!),
  promotion: (uci) => (uci.length < 5 ? null : uci[3] === '8' ? uci[4]!.toUpperCase() : uci[4]!),
};
