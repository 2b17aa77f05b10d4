/** Selects positions of an ending that meet conditions: sequential scans of its tables, memory independent of them. */

import { UserError } from '../../operators/core/errors.js';
import type { Colour, Ending, Game, Standing } from '../game/game.js';
import { withoutRepeats } from '../game/repeats.js';
import { stipulations } from '../game/stipulation.js';
import { brokenIn, decodeValue, type Metric, type Value, type ValueColumn, type Wdl } from '../game/value.js';
import { sideOf, type View, viewsOf } from '../game/views.js';
import type { TableColumn, ValueTable } from '../tables/value-table.js';
import { valuesWithNumbers } from '../tables/values-with-numbers.js';
import { codeTable, resultsOf, ZERO } from './codes.js';
import { requireSharedIndex } from './paired-values.js';
import { pointsOf, scanZugzwangs, type ZugzwangKind, zugzwangAt } from './zugzwang.js';

/** Conditions that selected positions meet. */
export interface Selection {
  /** For the side to move. Null: any. */
  readonly result: Wdl | null;
  /** Both included. Null: any; draws have none. */
  readonly plies: { readonly least: number; readonly most: number } | null;
  /** Of the metric's numbers (pipeline/tables/numbers.ts), both included; left out: any. */
  readonly numbers?: { readonly least: number; readonly most: number };
  /** The sides to move, in the order in which they come. */
  readonly sides: readonly Colour[];
  /** Only the positions that take the most plies, for each side to move. */
  readonly longest: boolean;
  /** Only mutual zugzwangs. */
  readonly zugzwang: boolean;
  /** Only boards that have an image in which men stand so; that image then stands for the position. It does not go with `longest`. */
  readonly standing?: Standing<unknown>;
}

/** A position that was asked for. */
export interface Selected {
  readonly board: unknown;
  /** To move. */
  readonly side: Colour;
  readonly value: Value;
  /** Under metrics that have numbers. */
  readonly number?: number;
  /** Where zugzwangs were asked for; `passed` is the value with the other side to move, for that side. */
  readonly zugzwang: { readonly kind: ZugzwangKind; readonly passed: Value } | null;
}

/** Which tables are gone through, and what for. */
export interface SelectOptions {
  readonly game: Game;
  readonly metric: Metric;
  readonly ending: Ending;
  readonly selection: Selection;
  /** Finds the table of a slice of the ending. */
  readonly open: (slice: string) => Promise<ValueTable>;
  /** The numbers beside the values of a table, which only some metrics have. */
  readonly numbers?: ((table: ValueTable) => TableColumn) | undefined;
  /** What else a position must meet; those that do not are not counted by `skip`. */
  readonly meets?: ((found: Selected) => Promise<boolean>) | undefined;
  /** Called and awaited every few hundred boards, and between batches, with the number of values looked at since the last call. */
  readonly report: (done: number) => Promise<void>;
  /** So many of the positions, from the first on, are passed over. */
  readonly skip?: number;
}

/** Throws UserError for what no position under the metric, or of the game, can have. */
export function checkSelection(game: Game, metric: Metric, selection: Selection): void {
  const { result, plies, longest, zugzwang } = selection;
  const results = resultsOf(metric);
  if (result !== null && !results.includes(result))
    throw new UserError(`no result is a ${result} under metric ${metric} (it has: ${results.join(', ')})`);
  if (!stipulations[metric].plies && (plies !== null || longest))
    throw new UserError(`metric ${metric} holds no distances to select by`);
  if (result === 'draw' && (plies !== null || longest)) throw new UserError('draws have no distances');
  if (longest && selection.standing !== undefined)
    throw new UserError('the longest of an ending cannot be chosen by where men stand: give plies');
  if (selection.numbers !== undefined && !stipulations[metric].numbers)
    throw new UserError(`metric ${metric} holds no numbers of solutions to select by`);
  if (zugzwang) requireSharedIndex(game);
}

/** Positions made at once; a caller that needs few stops the iteration. */
const BATCH = 512;

/**
 * Boards stand for all their images under the symmetries: each canonical position comes once, by side to move, slice and
 * index. `longest` needs a pass more. StorageError if a table is damaged.
 */
export async function* selectPositions(options: SelectOptions): AsyncGenerator<Selected[]> {
  const { meets, skip = 0 } = options;
  if (meets === undefined) yield* selected(options);
  else {
    let passed = 0;
    for await (const batch of selected({ ...options, skip: 0 })) {
      const found: Selected[] = [];
      for (const each of batch) {
        if ((await meets(each)) && passed++ >= skip) found.push(each);
        await options.report(0);
      }
      if (found.length > 0) yield found;
    }
  }
}

async function* selected(options: SelectOptions): AsyncGenerator<Selected[]> {
  const { metric, selection } = options;
  checkSelection(options.game, metric, selection);
  const { result, plies } = selection;
  const wanted = codeTable(metric, (value) => {
    if (result !== null && value.wdl !== result) return 0;
    if (plies === null && !selection.longest) return 1;
    if (value.plies === null) return 0;
    return plies === null || (plies.least <= value.plies && value.plies <= plies.most) ? 1 : 0;
  });
  const take = newTake(options);
  try {
    for (const side of selection.sides) {
      if (selection.zugzwang) yield* selectZugzwangs(options, side, wanted, take);
      else {
        const asked = selection.longest ? await longestOf(options, side, wanted) : wanted;
        if (asked !== null) yield* selectByCode(options, side, asked, take);
      }
    }
  } catch (error) {
    if (!(error instanceof NoneStandsSo)) throw error;
  }
}

/** No board of the ending stands as asked: its men are others. */
class NoneStandsSo extends Error {}

/** Makes a board and returns it, or an image of it; null if it is passed over or does not stand as asked. Throws NoneStandsSo. */
type Take = (make: () => unknown) => unknown | null;

function newTake({ selection: { standing }, skip = 0 }: SelectOptions): Take {
  let passed = 0;
  let isFirst = true;
  return (make) => {
    // Boards that are passed over need not be made, if nothing is asked of them.
    if (standing === undefined) return passed++ < skip ? null : make();
    const board = make();
    // All boards of an ending have the same men.
    if (isFirst && !standing.couldMeet(board)) throw new NoneStandsSo();
    isFirst = false;
    const image = standing.imageOf(board);
    return image === null || passed++ < skip ? null : image;
  };
}

interface Stretch {
  readonly view: View;
  readonly part: number;
  readonly first: number;
  readonly length: number;
  readonly codes: ValueColumn;
  /** Null where the metric has none. */
  readonly numbers: Uint8Array | null;
}

/** The values of the boards with a colour to move. */
async function* stretches(
  { game, ending, open, numbers: openNumbers, report }: SelectOptions,
  colour: Colour,
): AsyncGenerator<Stretch> {
  for (const view of viewsOf(game, ending)) {
    const table = await open(view.slice);
    const side = sideOf(game, colour, view.flipped);
    const { parts } = table.slice;
    const beside = openNumbers?.(table);
    const values = valuesWithNumbers(table, beside, side, 0, parts);
    for await (const { major: part, first, length, columns } of values) {
      const codes = (columns[0] as ValueColumn).subarray(0, length);
      const numbers = beside === undefined ? null : (columns[1] as Uint8Array);
      yield { view, part, first, length, codes: withoutRepeats(table.slice, part, first, codes), numbers };
      await report(length);
    }
  }
}

/** The codes that are wanted and of the most plies that there are; null if there are none. */
async function longestOf(
  options: SelectOptions,
  side: Colour,
  wanted: Uint8Array,
): Promise<Uint8Array | null> {
  const { metric } = options;
  const seen = new Uint8Array(2 * ZERO);
  for await (const { codes, length } of stretches(options, side)) {
    const broken = brokenIn(codes);
    for (let i = 0; i < length; i++) if (codes[i] !== broken) seen[codes[i] + ZERO] = 1;
  }
  let most = -1;
  for (let at = 1; at < 2 * ZERO; at++) {
    if (seen[at] === 1 && wanted[at] === 1) most = Math.max(most, decodeValue(at - ZERO, metric).plies ?? -1);
  }
  if (most < 0) return null;
  const longest = codeTable(metric, ({ plies }) => (plies === most ? 1 : 0));
  return longest.map((is, at) => is & wanted[at]);
}

async function* selectByCode(
  options: SelectOptions,
  side: Colour,
  wanted: Uint8Array,
  take: Take,
): AsyncGenerator<Selected[]> {
  const { game, metric, selection } = options;
  const { least, most } = selection.numbers ?? { least: 0, most: Number.POSITIVE_INFINITY };
  let batch: Selected[] = [];
  let taken = 0;
  for await (const { view, part, first, length, codes, numbers } of stretches(options, side)) {
    const at = { slice: view.slice, side: sideOf(game, side, view.flipped), part };
    const broken = brokenIn(codes);
    for (let i = 0; i < length; i++) {
      const code = codes[i];
      if (wanted[code + ZERO] === 0 || code === broken) continue;
      if (numbers !== null && (numbers[i] < least || numbers[i] > most)) continue;
      const board = take(() => game.board({ ...at, key: first + i }, view.flipped));
      if (++taken % BATCH === 0) await options.report(0);
      if (board === null) continue;
      const found = { board, side, value: decodeValue(code, metric), zugzwang: null };
      batch.push(numbers === null ? found : { ...found, number: numbers[i] });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

async function* selectZugzwangs(
  options: SelectOptions,
  side: Colour,
  wanted: Uint8Array,
  take: Take,
): AsyncGenerator<Selected[]> {
  const { game, metric } = options;
  const points = pointsOf(metric);
  let batch: Selected[] = [];
  let taken = 0;
  for await (const found of scanZugzwangs(options, points)) {
    const codes = found.pair.codes[sideOf(game, side, found.view.flipped)];
    for (let i = 0; i < found.count; i++) {
      const place = found.places[i];
      if (wanted[codes[place] + ZERO] === 0) continue;
      const { board: there, value, kind, passed } = zugzwangAt(game, metric, points, found, place, side);
      const board = take(() => there);
      if (++taken % BATCH === 0) await options.report(0);
      if (board === null) continue;
      batch.push({ board, side, value, zugzwang: { kind, passed } });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
