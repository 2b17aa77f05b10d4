/** The board of chess: FEN, and moves as UCI writes them. */
import type { Colour } from '../../../pipeline/game/game.js';
import { CHESS_MEN } from '../../ui/ending-words.js';
import {
  type BoardKind,
  type Cell,
  cellsByName,
  type Man,
  moved,
  otherCase,
  otherColour,
  type Rights,
  type Setup,
} from './kind.js';

export function colourOf(man: Man): Colour {
  return man === man.toUpperCase() ? 'white' : 'black';
}

function cellName(cell: Cell): string {
  return `${'abcdefgh'[cell & 7]}${8 - (cell >> 3)}`;
}

const cells = cellsByName(cellName);

/** One that mates or is mated stands where it likes; whether the position is legal, the source says. */
function read(position: string): Setup | null {
  const [placement = '', mover, , passant, clock, move] = position.replaceAll('_', ' ').trim().split(/\s+/);
  const rows = placement.split('/').map((row) => row.replace(/[1-8]/g, (free) => ' '.repeat(Number(free))));
  if (rows.length !== 8 || rows.some((row) => !/^[kqrbnp ]{8}$/i.test(row))) return null;
  const men = [...rows.join('')].flatMap((man, cell) => (man === ' ' ? [] : [[cell, man] as const]));
  const rights = { passant: passant ?? '-', clock: Number(clock ?? 0) || 0, move: Number(move ?? 1) || 1 };
  return { men: new Map(men), mover: mover === 'b' ? 'black' : 'white', rights };
}

const NOTHING: Rights = { passant: '-', clock: 0, move: 1 };

function write({ men, mover, rights = NOTHING }: Setup): string {
  const rows = Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 8 }, (_, column) => men.get(8 * row + column) ?? ' ')
      .join('')
      .replace(/ +/g, (free) => String(free.length)),
  );
  const { passant, clock, move } = rights;
  return `${rows.join('/')} ${mover[0]} - ${passant} ${clock} ${move}`;
}

/** The rights with the en-passant square where `to` says. */
function movedRights(rights: Rights | undefined, to: (cell: Cell) => Cell): Pick<Setup, 'rights'> {
  const cell = rights && cells.get(rights.passant);
  return rights === undefined || cell === undefined
    ? {}
    : { rights: { ...rights, passant: cellName(to(cell)) } };
}

function mirrored(setup: Setup): Setup {
  const to = (cell: Cell) => cell ^ 7;
  return { ...moved(setup, to), ...movedRights(setup.rights, to) };
}

/** The board is turned upside down with them, so that pawns still have as far to go. */
function exchanged(setup: Setup): Setup {
  const to = (cell: Cell) => cell ^ 56;
  const mover = otherColour(setup.mover);
  return { ...moved(setup, to, otherCase), mover, ...movedRights(setup.rights, to) };
}

export const chessKind: BoardKind = {
  game: 'chess',
  palette: [...'KQRBNPkqrbnp'],
  manName: (man) => `${colourOf(man)} ${CHESS_MEN[man.toUpperCase()]}`,
  cellName,
  read,
  write,
  mirrored,
  exchanged,
  path: (uci) => [uci.slice(0, 2), uci.slice(2, 4)].map((name) => cells.get(name)!),
  promotion: (uci) => (uci.length < 5 ? null : uci[3] === '8' ? uci[4].toUpperCase() : uci[4]),
};
