/**
 * Captures: the finished tables of the endings with a man less, brought into the sets. Where Y has just captured X,
 * both stand on one square. The position is put on the word and bit for that (see set-layout.ts). So the unmoves of Y
 * lead back to the positions with that capture. Positions enter at the ply of their own value, or at the ply that the
 * metric gives them after a conversion. Endings that are not "simple" need that (Wendroff et al. 1993, sections 3 and
 * 4).
 */
import type { Counters } from '../../../operators/core/counters.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game, Side } from '../../game/game.js';
import { backUp, brokenIn, type Metric, newValueColumn, type ValueColumn } from '../../game/value.js';
import { PAIR_BLACK, PAIR_OF, PAIR_SYMMETRY, PAIR_WHITE, PAIRS } from '../../games/chess/geometry.js';
import { placementRank } from '../../games/chess/index-space.js';
import { needTable, type Table } from '../../tables/table.js';
import { type CaptureTable, capturesOf } from './captures.js';
import { addPosition, type PositionSet } from './position-set.js';
import type { SetLayout } from './set-layout.js';

/**
 * The men left after one man has been taken, with its owner to move. A *rest* is numbered like the layout's words and bits,
 * without the digit of the man taken.
 */
interface Taken {
  readonly man: number;
  readonly owner: Side;
  /** Rests that are won or lost for the owner, by ply and kind. */
  readonly rests: Uint32Array;
  /** starts[2 * ply + kind]: where those of a ply and a kind (see pipeline/game/events.ts) begin in `rests`. */
  readonly starts: Uint32Array;
}

export interface Conversions {
  readonly taken: readonly Taken[];
  /** The last ply at which a conversion is won or lost; -1 if none ever is. */
  readonly last: number;
}

export interface Tables {
  readonly captures: CaptureTable;
  /** By dependency. */
  readonly tables: readonly Table[];
}

/** @throws UserError if a dependency is not solved. */
export async function openTables(
  layout: SetLayout,
  game: Game,
  metric: Metric,
  store: Store,
  counters: Counters,
): Promise<Tables> {
  const captures = capturesOf(layout.space);
  const tables: Table[] = [];
  for (const { slice } of captures.dependencies) {
    tables.push(await needTable(store, game, metric, slice, counters));
  }
  return { captures, tables };
}

/** Bytes of the lists that are kept, and the most that is held in addition while they are made. */
export function conversionBytes(
  layout: SetLayout,
  { captures, tables }: Tables,
): { kept: number; passing: number } {
  const rests = restsOf(layout);
  const passing = captures.byMan.map(({ dependency, target }) => {
    const width = tables[dependency].manifest.valueType === 'i8' ? 1 : 2;
    return width * (target.size + rests);
  });
  return { kept: 4 * rests * layout.space.men, passing: Math.max(0, ...passing) };
}

function restsOf(layout: SetLayout): number {
  return PAIRS * 64 ** Math.max(0, layout.space.men - 1);
}

/** Reads the tables; puts all legal positions after a capture in `legal`, by side to move. */
export async function loadConversions(
  layout: SetLayout,
  opened: Tables,
  metric: Metric,
  legal: readonly [PositionSet, PositionSet],
): Promise<Conversions> {
  const taken: Taken[] = [];
  for (let man = 0; man < layout.space.men; man++) {
    const owner = layout.space.sideOf[man] as Side;
    const { dependency, flipped } = opened.captures.byMan[man];
    const restarts = opened.captures.dependencies[dependency].restarts.includes(metric);
    const values = await readSide(opened.tables[dependency], (flipped ? 1 - owner : owner) as Side);
    const codes = restValues(layout, opened.captures, man, values);
    addLegal(layout, man, codes, legal[owner]);
    taken.push({ man, owner, ...byPly(codes, (code) => plyAfter(code, metric, restarts)) });
  }
  return { taken, last: Math.max(-1, ...taken.map(({ starts }) => (starts.length - 3) >> 1)) };
}

async function readSide(table: Table, side: Side): Promise<ValueColumn> {
  const { slice, manifest } = table;
  const whole = newValueColumn(manifest.valueType, slice.size);
  for await (const { major, first, length, columns } of table.values(side, 0, slice.parts)) {
    whole.set((columns[0] as ValueColumn).subarray(0, length), major * slice.width + first);
  }
  return whole;
}

/** The value of every rest, as the table has it; broken where men coincide. */
function restValues(
  layout: SetLayout,
  { byMan }: CaptureTable,
  man: number,
  values: ValueColumn,
): ValueColumn {
  const { target, flipped, manThere } = byMan[man];
  const { arrayMen, wordMan } = layout;
  const there = Int32Array.from(
    [...arrayMen, wordMan].filter((other) => other !== man),
    (other) => manThere[other],
  );
  const digits = there.length;
  const restsOfPair = 64 ** digits;
  const codes =
    values.BYTES_PER_ELEMENT === 1 ? new Int8Array(restsOf(layout)) : new Int16Array(restsOf(layout));
  const broken = brokenIn(codes);
  const squares = new Uint8Array(8);
  for (let pair = 0; pair < PAIRS; pair++) {
    const white = flipped ? PAIR_BLACK[pair] : PAIR_WHITE[pair];
    const black = flipped ? PAIR_WHITE[pair] : PAIR_BLACK[pair];
    const pairThere = PAIR_OF[white * 64 + black];
    const symmetry = PAIR_SYMMETRY[white * 64 + black];
    const base = target.pairPart[pairThere] * target.width + target.pairBase[pairThere];
    for (let rest = 0; rest < restsOfPair; rest++) {
      let distinct = true;
      for (let i = digits - 1, left = rest; i >= 0; i--, left >>= 6) {
        const square = left & 63;
        squares[there[i]] = square;
        for (let j = i + 1; j < digits; j++) if (squares[there[j]] === square) distinct = false;
      }
      if (!distinct) {
        codes[pair * restsOfPair + rest] = broken;
        continue;
      }
      const rank = placementRank(target, squares, symmetry);
      codes[pair * restsOfPair + rest] = values[base + rank];
    }
  }
  return codes;
}

/** The depth that a won or lost position has for the position before it. */
function plyAfter(code: number, metric: Metric, restarts: boolean): number {
  const before = backUp(code, metric, restarts);
  return (before > 0 ? before : -before - 1) - 1;
}

/** Orders the rests that are won (kind 0) or lost (kind 1) by ply and kind. */
function byPly(codes: ValueColumn, plyOf: (code: number) => number): Pick<Taken, 'rests' | 'starts'> {
  const broken = brokenIn(codes);
  let last = -1;
  for (let rest = 0; rest < codes.length; rest++) {
    const code = codes[rest];
    if (code !== 0 && code !== broken) last = Math.max(last, plyOf(code));
  }
  const starts = new Uint32Array(2 * last + 3);
  for (let rest = 0; rest < codes.length; rest++) {
    const code = codes[rest];
    if (code !== 0 && code !== broken) starts[2 * plyOf(code) + (code > 0 ? 0 : 1) + 1]++;
  }
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  const rests = new Uint32Array(starts[starts.length - 1]);
  const next = starts.slice();
  for (let rest = 0; rest < codes.length; rest++) {
    const code = codes[rest];
    if (code !== 0 && code !== broken) rests[next[2 * plyOf(code) + (code > 0 ? 0 : 1)]++] = rest;
  }
  return { rests, starts };
}

function addLegal(layout: SetLayout, man: number, codes: ValueColumn, legal: PositionSet): void {
  const broken = brokenIn(codes);
  const batch = new Uint32Array(1 << 12);
  let n = 0;
  for (let rest = 0; rest < codes.length; rest++) {
    if (codes[rest] !== broken) batch[n++] = rest;
    if (n === batch.length || rest === codes.length - 1) {
      addCaptures(layout, man, batch, 0, n, legal);
      n = 0;
    }
  }
}

/** Adds the conversions that the owner of the man taken (`side`, to move) wins or loses (`kind`) in `ply` plies. */
export function addDue(
  layout: SetLayout,
  conversions: Conversions,
  ply: number,
  side: Side,
  kind: number,
  set: () => PositionSet,
): void {
  for (const { man, owner, rests, starts } of conversions.taken) {
    const event = 2 * ply + kind;
    if (owner !== side || event + 1 >= starts.length || starts[event] === starts[event + 1]) continue;
    addCaptures(layout, man, rests, starts[event], starts[event + 1], set());
  }
}

/** Adds for each of rests[from..to) every way in which it may have come about: each man that may be the capturer. */
function addCaptures(
  layout: SetLayout,
  man: number,
  rests: Uint32Array,
  from: number,
  to: number,
  set: PositionSet,
): void {
  const { space, shift, wordMan, configs } = layout;
  const capturer = 1 - space.sideOf[man];
  const kings = capturer === 0 ? PAIR_WHITE : PAIR_BLACK;
  const capturers = space.menOf[capturer];
  const inWord = man === wordMan;
  const below = inWord ? 0 : 2 ** shift[man];
  for (let i = from; i < to; i++) {
    const rest = rests[i];
    let word = rest;
    let bit = 0;
    if (!inWord) {
      bit = rest & 63;
      const low = (rest >>> 6) & (below - 1);
      word = ((rest >>> 6) - low) * 64 + low;
    }
    const pair = Math.floor(word / configs);
    place(set, pair, word, bit, kings[pair], below);
    for (let c = 0; c < capturers.length; c++) {
      const other = capturers[c];
      const square = other === wordMan ? bit : (word >>> shift[other]) & 63;
      place(set, pair, word, bit, square, below);
    }
  }
}

/** Puts the man taken on `square`. `below` is 0 if the man is the one in the word. */
function place(
  set: PositionSet,
  pair: number,
  word: number,
  bit: number,
  square: number,
  below: number,
): void {
  if (below === 0) addPosition(set, pair, word, square);
  else addPosition(set, pair, word + square * below, bit);
}
