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
import { sliceOf } from '../../pipeline/games/chess/shape.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { readStudies } from '../study/read-studies.js';
import type { RootFlags } from './root-flags.js';

export interface AskedRoot {
  readonly name: string;
  readonly fen: string;
  readonly structures: Structures;
}

/**
 * The root of a position. It takes the values of an ending from the store if all tables that it needs of that ending are there.
 * @param store null: from no store. @param most structures that are looked at; without it, as many as can be solved. @throws UserError
 */
export async function askedRoot(
  game: string,
  flags: RootFlags & { readonly from: string },
  store: Store | null,
  metric: Metric,
  most?: number,
): Promise<AskedRoot> {
  if (game !== 'chess') throw new UserError(`--from takes a position of chess: it goes without ${game}`);
  if (isClocked(metric) || stipulations[metric].goalOf !== 'either')
    throw new UserError(`--from goes without --metric ${metric}`);
  const fen = /\.pgn$/i.test(flags.from) ? await lastPosition(flags.from) : flags.from;
  const bare = rootOf(parseManyMen(fen), optionsOf(flags));
  if (slicesOfRoot(nameOfRoot(bare), structuresOf(bare, most)).length === 0)
    throw new UserError(
      '--from: solving stops at the position itself, by --stop-at or --most-pieces: there is nothing to solve',
    );
  const root = store === null ? bare : await withKnown(bare, store, metric);
  return { name: nameOfRoot(root), fen, structures: structuresOf(root) };
}

function optionsOf({ stopAt, mostPieces, promote }: RootFlags): RootOptions {
  const letters = promote === undefined ? ALL_PROMOTIONS : readPromotions(promote);
  return {
    ...(stopAt !== undefined && { stopAt }),
    ...(mostPieces !== undefined && { mostPieces }),
    promotions: letters,
  };
}

function readPromotions(text: string): string {
  const asked = text.toUpperCase();
  const letters = [...ALL_PROMOTIONS].filter((letter) => asked.includes(letter));
  if (asked === '' || letters.length !== asked.length)
    throw new UserError(`--promote: ${JSON.stringify(text)} must be some of the letters q, r, b and n`);
  return letters.join('');
}

async function lastPosition(path: string): Promise<string> {
  for await (const read of readStudies(path)) {
    if (!('study' in read)) throw new UserError(read.problem ?? `${path}: no game can be read`);
    const { fen, moves } = read.study;
    return moves.at(-1)?.after ?? fen;
  }
  throw new UserError(`${path}: there is no game in it`);
}

/** The root, with an ending known if the store has the tables of all its slices that can be reached. */
async function withKnown(root: Root, store: Store, metric: Metric): Promise<Root> {
  const { stops, shapes } = structuresOf(root);
  let known = 0n;
  for (const [number, ending] of stops.entries()) {
    const slices = slicesAt(ending, [...shapes.values()]);
    const found = await Promise.all(
      slices.map((slice) => store.size(tableManifestName('chess', metric, slice))),
    );
    if (slices.length > 0 && found.every((size) => size !== null)) known |= 1n << BigInt(number);
  }
  return { ...root, known };
}

/** The slices of an ending among the shapes that are reached. */
function slicesAt(
  ending: string,
  shapes: readonly { readonly shape: Parameters<typeof sliceOf>[0] }[],
): string[] {
  const own = shapes.filter(({ shape }) => endingOf(shape) === ending);
  return [...new Set(own.map(({ shape }) => sliceOf(shape).slice))];
}

/** The endings at which solving stops and whose tables are missing: with these tables, more positions would be known. */
export function unknownEndings({ root, stops }: Structures): string[] {
  return stops.filter((_, number) => ((root.known >> BigInt(number)) & 1n) === 0n);
}
