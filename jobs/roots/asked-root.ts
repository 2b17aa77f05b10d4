/** The root (pipeline/games/chess/root.ts) that `--from` asks for, and the endings that it takes from the tables of a store. */
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { isClocked } from '../../pipeline/game/clocked.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { parseManyMen } from '../../pipeline/games/chess/fen.js';
import {
  ALL_PROMOTIONS,
  nameOfRoot,
  type Root,
  type RootOptions,
  rootOf,
} from '../../pipeline/games/chess/root.js';
import { slicesOfRoot } from '../../pipeline/games/chess/root-slices.js';
import { endingOf, type Structures, structuresOf } from '../../pipeline/games/chess/root-structures.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { type Naming, namingFor, sliceOf } from '../../pipeline/games/chess/shape.js';
import { LeafFiles, takesOutcomes } from '../../pipeline/share/publish/leaves.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { whatIs } from '../cli/what-is.js';
import { readStudies } from '../notation/read-studies.js';
import { openReadable } from '../stores.js';
import { solutionWords } from '../ui/verdict.js';
import { askedNever } from './asked-never.js';
import type { RootFlags } from './root-flags.js';

export interface AskedRoot {
  readonly name: string;
  readonly fen: string;
  readonly structures: Structures;
}

/**
 * The root of a position. It takes the values of an ending from the store if all tables that it needs of that ending are there.
 * @param store null: from no store. @param most structures that are looked at; without it, as many as can be solved. @param leaves those of
 * `--syzygy`, if they were opened before. @throws UserError
 */
export async function askedRoot(
  game: string,
  flags: RootFlags & { readonly from: string },
  store: Store | null,
  metric: Metric,
  { most, leaves = null }: { readonly most?: number; readonly leaves?: LeafFiles | null } = {},
): Promise<AskedRoot> {
  if (game !== 'chess') throw new UserError(`--from takes a position of chess, not of ${game}`);
  if (isClocked(metric))
    throw new UserError(
      `--from cannot be combined with --metric ${metric}: values by the half-move clock are made for whole endings only; dtz knows the rule of 50 moves`,
    );
  if (stipulations[metric].numbers && flags.never !== undefined)
    throw new UserError(
      `--never cannot be combined with --metric ${metric}: the number of ${solutionWords(metric)[1]} would leave out those moves`,
    );
  const fen = await positionOf(flags.from);
  const board = parseManyMen(fen);
  const bare = rootOf(board, { ...optionsOf(flags, board), naming: namingFor(metric) });
  if (slicesOfRoot(nameOfRoot(bare), structuresOf(bare, most)).length === 0)
    throw new UserError(
      '--from: solving stops at the position itself, by --stop-at or --most-pieces: there is nothing to solve',
    );
  const known = store === null ? bare : await withKnown(bare, store, metric);
  const files = leaves ?? (flags.syzygy === undefined ? null : leafFiles(flags.syzygy, metric));
  const root = files === null ? known : await withFiles(known, files);
  return { name: nameOfRoot(root), fen, structures: structuresOf(root) };
}

function optionsOf({ stopAt, mostPieces, promote, never }: RootFlags, board: ChessBoard): RootOptions {
  const letters = promote === undefined ? ALL_PROMOTIONS : readPromotions(promote);
  return {
    ...(stopAt !== undefined && { stopAt }),
    ...(mostPieces !== undefined && { mostPieces }),
    promotions: letters,
    ...(never !== undefined && { never: askedNever(never, board) }),
  };
}

function readPromotions(text: string): string {
  const asked = text.toUpperCase();
  const letters = [...ALL_PROMOTIONS].filter((letter) => asked.includes(letter));
  if (asked === '' || letters.length !== asked.length)
    throw new UserError(`--promote: ${JSON.stringify(text)} must be some of the letters q, r, b and n`);
  return letters.join('');
}

/** The FEN that is given, or the last position of the first game in a file. No position has the name of a file. */
export async function positionOf(from: string): Promise<string> {
  return /\.(?:pgn|epd|fen|txt)$/i.test(from) || whatIs(from)?.isFile() === true
    ? await lastPosition(from)
    : from;
}

/** @throws UserError also where a move cannot be read: the last position is another then. */
async function lastPosition(path: string): Promise<string> {
  let found: string | null = null;
  for await (const read of readStudies(path)) {
    if ('study' in read) {
      if (found !== null) break;
      const { fen, moves } = read.study;
      found = moves.at(-1)?.after ?? fen;
    } else if (found === null || read.text === '')
      throw new UserError(read.problem ?? `${path}: no game can be read`);
    else break;
  }
  if (found === null) throw new UserError(`${path}: it contains no game`);
  return found;
}

/** The root, with an ending known if the store has the tables of all its slices that can be reached. */
async function withKnown(root: Root, store: Store, metric: Metric): Promise<Root> {
  const { stops, shapes } = structuresOf(root);
  const { naming } = root;
  let known = 0n;
  for (const [number, ending] of stops.entries()) {
    const slices = slicesAt(ending, naming, [...shapes.values()]);
    const found = await Promise.all(
      slices.map((slice) => store.size(tableManifestName('chess', metric, slice))),
    );
    if (slices.length > 0 && found.every((size) => size !== null)) known |= 1n << BigInt(number);
  }
  return { ...root, known };
}

/** The places of Syzygy files. Throws UserError if the metric asks for more than their outcomes. */
export function leafFiles(places: string | readonly string[], metric: Metric): LeafFiles {
  if (!takesOutcomes(metric))
    throw new UserError(
      `--syzygy cannot be combined with --metric ${metric}: Syzygy files do not have its values; use wdl, dtc or dtz`,
    );
  return new LeafFiles([places].flat().map(openReadable));
}

/** The root, with an ending looked up in files if they are all there and the store has not its tables. */
async function withFiles(root: Root, leaves: LeafFiles): Promise<Root> {
  const { stops } = structuresOf(root);
  let files = 0n;
  for (const [number, ending] of stops.entries()) {
    const bit = 1n << BigInt(number);
    const [, white, black] = /^K(.*)K(.*?)(?:ep)?$/.exec(ending)!;
    if ((root.known & bit) === 0n && (await leaves.have(white, black))) files |= bit;
  }
  return { ...root, files };
}

/** The slices of an ending among the shapes that are reached. */
function slicesAt(
  ending: string,
  naming: Naming,
  shapes: readonly { readonly shape: Parameters<typeof sliceOf>[0] }[],
): string[] {
  const own = shapes.filter(({ shape }) => endingOf(shape, naming) === ending);
  return [...new Set(own.map(({ shape }) => sliceOf(shape, naming).slice))];
}

/** The endings at which solving stops, by how they are known. Of those that are not, tables would make more positions known. */
export function endingsOf({ root, stops }: Structures): {
  readonly tables: string[];
  readonly files: string[];
  readonly unknown: string[];
} {
  const has = (bits: bigint) => stops.filter((_, number) => ((bits >> BigInt(number)) & 1n) === 1n);
  return { tables: has(root.known), files: has(root.files), unknown: has(~(root.known | root.files)) };
}
