/**
 * Roots: positions for which alone tables are made. A root consists of the men and the squares of the pawns; kings and pieces may stand
 * anywhere, and either side may be to move. The slices of a root have the pawn structures that can be reached from it, and no others.
 *
 * The name of a root holds all of it: "KRPPKRP_a4e4e5_s5_k3" has White's pawns on a4 and e4 and Black's on e5, stops at five men, and takes the
 * values of two endings from their tables (see {@link Root.known}). So threads, ranks and commands construct a root's slices from names alone.
 */
import { UserError } from '../../../operators/core/errors.js';
import { SYMMETRY } from './geometry.js';
import { mirrorNever, NEVER, type Never, nameOfNever, readNever } from './root-never.js';
import { type ChessBoard, LETTERS as MEN, PAWN, squareName, squareOf } from './rules.js';
import { inOrder, type Naming, pawnsOf } from './shape.js';

export interface Root {
  /** `sided` where one side has a goal of its own: the men of White and Black have a "v" between them then, as in the names of endings. */
  readonly naming: Naming;
  /** Letters of the men of White and Black besides the kings. */
  readonly men: readonly [string, string];
  /** Squares of the pawns of White and Black, ascending. */
  readonly pawns: readonly [readonly number[], readonly number[]];
  /** The square of the pawn that may be captured en passant; null if there is no such right. */
  readonly passant: number | null;
  /** Positions with this many men or fewer are not solved: their values come from tables of their endings, or are unknown. 0: no limit. */
  readonly stopAt: number;
  /** The same for positions with more pieces than this, kings and pawns not counted. Null: no limit. */
  readonly mostPieces: number | null;
  /** Letters of the pieces that pawns may become. Any other promotion counts as a loss. */
  readonly promotions: string;
  /** Moves that one side does not make; null: none. */
  readonly never: Never | null;
  /** Bit i: whether the store has the tables of the i-th ending at which solving stops (`Structures.stops`). */
  readonly known: bigint;
  /** Bit i: whether the i-th ending is looked up in Syzygy files. */
  readonly files: bigint;
}

export const ALL_PROMOTIONS = 'QRBN';

const ROOT =
  /^K([QRBNP]*)(v?)K([QRBNP]*)_((?:[a-h][2-7])+)((?:_s\d{1,2}|_m\d{1,2}|_p[QRBN]{1,4}|_x[a-h][2-7]|_n[wb][a-htxA-Z1-8]+|_k[0-9a-f]+|_y[0-9a-f]+)*)$/;

/** The root with this name; null if it is none. A root has one name: a text that says the same in another way, or mirrored, is none. */
export function readRoot(name: string): Root | null {
  const root = rootOfText(name);
  return root !== null && canonical(root) === root ? root : null;
}

/** The name of the root whose mirror image a text describes; null if it describes none, or has that name itself. */
export function nameOfMirrored(text: string): string | null {
  const root = rootOfText(text);
  if (root === null) return null;
  const name = nameOfRoot(canonical(root));
  return name === text ? null : name;
}

function rootOfText(name: string): Root | null {
  const match = ROOT.exec(name);
  if (match === null) return null;
  const [, white, versus, black, text, options] = match;
  const squares = (text.match(/../g) ?? []).map(squareOf);
  const whites = pawnsOf(white);
  if (squares.length !== whites + pawnsOf(black)) return null;
  const option = (letter: string) =>
    options
      .split('_')
      .find((each) => each[0] === letter)
      ?.slice(1);
  const [stop, most, promotions, passant, never, known, files] = [...'smpxnky'].map(option);
  if (never !== undefined && !NEVER.test(never)) return null;
  const root: Root = {
    naming: versus === '' ? 'exchangeable' : 'sided',
    men: [white, black],
    pawns: [squares.slice(0, whites), squares.slice(whites)],
    passant: passant === undefined ? null : squareOf(passant),
    stopAt: Number(stop ?? 0),
    mostPieces: most === undefined ? null : Number(most),
    promotions: promotions ?? ALL_PROMOTIONS,
    never: never === undefined ? null : readNever(never),
    known: BigInt(`0x${known ?? '0'}`),
    files: BigInt(`0x${files ?? '0'}`),
  };
  return nameOfRoot(root) === name && stands(root) ? root : null;
}

/** Whether men, pawns and promotions are in order, each pawn on a square of its own, and the one that may be captured en passant on its rank. */
function stands({ men, pawns, passant, promotions }: Root): boolean {
  const all = pawns.flat();
  const mayBePassed = (square: number) => square >> 3 === (pawns[0].includes(square) ? 3 : 4);
  return (
    men.every((own) => own === inOrder(own)) &&
    pawns.every((own) => own.every((square, i) => i === 0 || own[i - 1] < square)) &&
    new Set(all).size === all.length &&
    promotions === [...ALL_PROMOTIONS].filter((letter) => promotions.includes(letter)).join('') &&
    (passant === null || (all.includes(passant) && mayBePassed(passant)))
  );
}

export function nameOfRoot(root: Root): string {
  const { naming, men, pawns, passant, stopAt, mostPieces, promotions, never, known, files } = root;
  const options = [
    stopAt === 0 ? '' : `_s${stopAt}`,
    mostPieces === null ? '' : `_m${mostPieces}`,
    promotions === ALL_PROMOTIONS ? '' : `_p${promotions}`,
    passant === null ? '' : `_x${squareName(passant)}`,
    never === null ? '' : `_n${nameOfNever(never)}`,
    known === 0n ? '' : `_k${known.toString(16)}`,
    files === 0n ? '' : `_y${files.toString(16)}`,
  ];
  const versus = naming === 'sided' ? 'v' : '';
  return `K${men[0]}${versus}K${men[1]}_${pawns.flat().map(squareName).join('')}${options.join('')}`;
}

/** How a root is solved. Without options: everything that can be reached. */
export type RootOptions = Partial<Pick<Root, 'naming' | 'stopAt' | 'mostPieces' | 'promotions' | 'never'>>;

/** The root of a legal board; mirror images have the same one. Throws UserError if there are no pawns: the root would be the whole ending. */
export function rootOf({ squares, passant, side }: ChessBoard, options: RootOptions = {}): Root {
  const men: [string, string] = ['', ''];
  const pawns: [number[], number[]] = [[], []];
  for (let square = 0; square < 64; square++) {
    const man = squares[square];
    if (Math.abs(man) < 2) continue;
    const owner = man > 0 ? 0 : 1;
    men[owner] += MEN[Math.abs(man)];
    if (Math.abs(man) === PAWN) pawns[owner].push(square);
  }
  if (pawns.flat().length === 0)
    throw new UserError(
      `a position without pawns has the tables of its ending: name that, K${inOrder(men[0])}vK${inOrder(men[1])}`,
    );
  return canonical({
    naming: 'exchangeable',
    men: [inOrder(men[0]), inOrder(men[1])],
    pawns,
    passant: passant === undefined ? null : passant + (side === 0 ? -8 : 8),
    stopAt: 0,
    mostPieces: null,
    promotions: ALL_PROMOTIONS,
    never: null,
    known: 0n,
    files: 0n,
    ...options,
  });
}

/** Of a root and its mirror image, the one whose name sorts first. */
function canonical(root: Root): Root {
  const mirrored = mirror(root);
  return nameOfRoot(mirrored) < nameOfRoot(root) ? mirrored : root;
}

function mirror(root: Root): Root {
  const image = (square: number) => SYMMETRY[64 + square];
  const all = (squares: readonly number[]) => squares.map(image).sort((a, b) => a - b);
  return {
    ...root,
    pawns: [all(root.pawns[0]), all(root.pawns[1])],
    passant: root.passant === null ? null : image(root.passant),
    never: root.never === null ? null : mirrorNever(root.never),
  };
}
