/**
 * Recursive pairing of a sequence that fits memory (Larsson & Moffat 2000, section 3): the places where a pair of neighbours occurs are
 * a list, in ascending order, so replacing a pair costs its occurrences and not a pass over the sequence. A symbol that is
 * paired with the one before it leaves a gap; the first place of a gap knows where it ends, the last one where it begins.
 *
 * A *record* is a pair that occurs often enough: u32 words for the pair, how often, its first place, and the next record of its
 * bucket. Records are found by hashing. Buckets hold records by count; the last one holds all of higher counts. Counts of a pair only
 * fall, so a record may lie in a bucket too high, and moves down when it is looked at.
 */
import { LENGTH } from './tables';

const NONE: u32 = 0xffffffff;
/** In `before` of a place: no list has it. */
const UNLISTED: u32 = 0xfffffffe;
const GAP: u32 = 0xffff;
/** Added to a symbol of the sequence while pairs are listed. */
const FREQUENT: u32 = 0x8000;
const LONGEST: u32 = 256;
const SYMBOLS = 4096;

let sequence: usize = 0;
let size: u32 = 0;
/** u32, by place: the places before and after it in its list, side by side. Of gaps: where they begin and end. */
let links: usize = 0;
let records: usize = 0;
let mostRecords: u32 = 0;
let made: u32 = 0;
let freed: u32 = NONE;
let table: usize = 0;
let mask: u32 = 0;
let buckets: usize = 0;
let bucketCount: u32 = 0;
let least: u32 = 0;
let best: u32 = 0;

/** The pair that was replaced last. */
export let pairedFirst: u32 = 0;
export let pairedSecond: u32 = 0;

/** u32, by symbol x: the pairs (x, new) and (new, x) that a replacement makes: how often, first and last place. */
const LEFT: usize = memory.data(SYMBOLS * 12, 16);
const RIGHT: usize = memory.data(SYMBOLS * 12, 16);
/** Bytes of a record. */
const RECORD: usize = 16;

function symbolAt(place: u32): u32 {
  return load<u16>(sequence + ((place as usize) << 1)) as u32;
}

function putSymbol(place: u32, symbol: u32): void {
  store<u16>(sequence + ((place as usize) << 1), symbol as u16);
}

function at(words: usize, i: u32): u32 {
  return load<u32>(words + ((i as usize) << 2));
}

function put(words: usize, i: u32, value: u32): void {
  store<u32>(words + ((i as usize) << 2), value);
}

function before(place: u32): u32 {
  return load<u32>(links + ((place as usize) << 3));
}

function setBefore(place: u32, other: u32): void {
  store<u32>(links + ((place as usize) << 3), other);
}

function after(place: u32): u32 {
  return load<u32>(links + ((place as usize) << 3), 4);
}

function setAfter(place: u32, other: u32): void {
  store<u32>(links + ((place as usize) << 3), other, 4);
}

/** The next symbol's place, or `size`. */
function following(place: u32): u32 {
  const next = place + 1;
  return next < size && symbolAt(next) === GAP ? after(next) : next;
}

/** The place of the symbol before; not of place 0. */
function preceding(place: u32): u32 {
  const next = place - 1;
  return symbolAt(next) === GAP ? before(next) : next;
}

function isShort(first: u32, second: u32): bool {
  return (
    (load<u16>(LENGTH + ((first as usize) << 1)) as u32) +
      (load<u16>(LENGTH + ((second as usize) << 1)) as u32) <=
    LONGEST
  );
}

function hashOf(pair: u32): u32 {
  return ((pair * 0x9e3779b1) >>> 7) & mask;
}

/** The record of a pair, or NONE. */
function find(pair: u32): u32 {
  let slot = hashOf(pair);
  while (true) {
    const record = at(table, slot);
    if (record === NONE || at(records + (record as usize) * RECORD, 0) === pair) return record;
    slot = (slot + 1) & mask;
  }
}

/** A new record of a pair that has none; NONE if there is no room for more. */
function add(pair: u32): u32 {
  let record = freed;
  if (record !== NONE) freed = at(records + (record as usize) * RECORD, 3);
  else if (made < mostRecords) record = made++;
  else return NONE;
  const fields = records + (record as usize) * RECORD;
  put(fields, 0, pair);
  put(fields, 1, 0);
  put(fields, 2, NONE);
  let slot = hashOf(pair);
  while (at(table, slot) !== NONE) slot = (slot + 1) & mask;
  put(table, slot, record);
  return record;
}

/** Takes a record out of the table; those behind it move up (Knuth, volume 3, section 6.4, algorithm R). */
function drop(record: u32): void {
  let slot = hashOf(at(records + (record as usize) * RECORD, 0));
  while (at(table, slot) !== record) slot = (slot + 1) & mask;
  let hole = slot;
  for (slot = (slot + 1) & mask; at(table, slot) !== NONE; slot = (slot + 1) & mask) {
    const home = hashOf(at(records + (at(table, slot) as usize) * RECORD, 0));
    if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
    put(table, hole, at(table, slot));
    hole = slot;
  }
  put(table, hole, NONE);
  put(records + (record as usize) * RECORD, 3, freed);
  freed = record;
}

/** Puts a record into the bucket of its count. */
function enter(record: u32): void {
  const fields = records + (record as usize) * RECORD;
  const bucket = min(at(fields, 1), bucketCount - 1);
  put(fields, 3, at(buckets, bucket));
  put(buckets, bucket, record);
  best = max(best, bucket);
}

/** Where everything is: the sequence (u16, `symbols` of them), two words for each of its places, records, hash table and buckets. */
export function setPairLists(
  sequenceAt: usize,
  symbols: u32,
  placesAt: usize,
  recordsAt: usize,
  recordCount: u32,
  tableAt: usize,
  tableBits: u32,
  bucketsAt: usize,
  bucketTotal: u32,
): void {
  sequence = sequenceAt;
  size = symbols;
  links = placesAt;
  records = recordsAt;
  mostRecords = recordCount;
  table = tableAt;
  mask = (1 << tableBits) - 1;
  buckets = bucketsAt;
  bucketCount = bucketTotal;
}

let symbolBits: u32 = 0;

/** Where a pair is counted: pairs of few symbols have a place each, others are hashed. */
function countSlot(first: u32, second: u32): u32 {
  if ((1 as u64) << (2 * symbolBits) <= (size as u64)) return (first << symbolBits) | second;
  return ((((((first << 12) | second) * 0x85ebca6b) as u64) * (size as u64)) >> 32) as u32;
}

/**
 * Marks symbols of the sequence that begin a pair which may be frequent enough: most of those that are rare need no record then. Pairs are counted up
 * to 255 in a byte each, where the links will be.
 */
function markFrequent(): void {
  const counts = links;
  memory.fill(counts, 0, size as usize);
  const last = size - 1;
  const frequent = min(least, 255);
  for (let place: u32 = 0; place < last; place++) {
    const slot = counts + (countSlot(symbolAt(place), symbolAt(place + 1)) as usize);
    const count = load<u8>(slot);
    if (count < 255) store<u8>(slot, count + 1);
  }
  for (let place: u32 = 0; place < last; place++) {
    const symbol = symbolAt(place);
    const slot = counts + (countSlot(symbol, symbolAt(place + 1)) as usize);
    if ((load<u8>(slot) as u32) >= frequent) putSymbol(place, symbol | FREQUENT);
  }
}

/** Lists the pairs of the sequence, of so many symbols, that occur at least `leastCount` times. */
export function listPairs(leastCount: u32, symbols: u32): void {
  least = leastCount;
  symbolBits = 32 - clz(symbols);
  made = 0;
  freed = NONE;
  best = 0;
  memory.fill(table, 0xff, ((mask + 1) as usize) << 2);
  memory.fill(buckets, 0xff, (bucketCount as usize) << 2);
  memory.fill(LEFT, 0, SYMBOLS * 12);
  memory.fill(RIGHT, 0, SYMBOLS * 12);
  // Where there are no more pairs than records, as in samples, all pairs have one at first.
  const isMarked = (1 as u64) << (2 * symbolBits) > (mostRecords as u64);
  if (isMarked) markFrequent();
  const last = size - 1;
  let even = false;
  let previous: u32 = GAP;
  for (let place: u32 = 0; place < size; place++) {
    const marked = symbolAt(place);
    const first = marked & ~FREQUENT;
    putSymbol(place, first);
    setBefore(place, UNLISTED);
    if (place >= last) break;
    const second = symbolAt(place + 1) & ~FREQUENT;
    // Of a run of one symbol, every other pair.
    even = first === second && previous === first ? !even : false;
    previous = first;
    if (even || (isMarked && (marked & FREQUENT) === 0) || !isShort(first, second)) continue;
    const pair = (first << 12) | second;
    let record = find(pair);
    if (record === NONE) record = add(pair);
    if (record === NONE) continue;
    const fields = records + (record as usize) * RECORD;
    // The last place of the list is kept where the next record of the bucket will be.
    if (at(fields, 1) === 0) {
      put(fields, 2, place);
      setBefore(place, NONE);
    } else {
      setAfter(at(fields, 3), place);
      setBefore(place, at(fields, 3));
    }
    setAfter(place, NONE);
    put(fields, 3, place);
    put(fields, 1, at(fields, 1) + 1);
  }
  for (let record: u32 = 0; record < made; record++) {
    if (at(records + (record as usize) * RECORD, 1) >= least) enter(record);
    else drop(record);
  }
}

/** The record of a pair that is most frequent, taken from its bucket; NONE if none is frequent enough. */
function mostFrequent(): u32 {
  if (best === bucketCount - 1) {
    const record = mostFrequentOfLast();
    if (record !== NONE) return record;
    best--;
  }
  for (; best > 0; best--) {
    for (let record = at(buckets, best); record !== NONE; record = at(buckets, best)) {
      put(buckets, best, at(records + (record as usize) * RECORD, 3));
      if (at(records + (record as usize) * RECORD, 1) === best) return record;
      moveDown(record);
    }
  }
  return NONE;
}

/** Puts a record whose count fell into its bucket, or drops it. */
function moveDown(record: u32): void {
  if (at(records + (record as usize) * RECORD, 1) >= least) enter(record);
  else drop(record);
}

/** The last bucket has counts of any size: all of it is looked at. */
function mostFrequentOfLast(): u32 {
  let record = at(buckets, bucketCount - 1);
  put(buckets, bucketCount - 1, NONE);
  let found = NONE;
  let most: u32 = 0;
  while (record !== NONE) {
    const next = at(records + (record as usize) * RECORD, 3);
    const count = at(records + (record as usize) * RECORD, 1);
    if (count < bucketCount - 1 || count <= most) moveDown(record);
    else {
      if (found !== NONE) enter(found);
      found = record;
      most = count;
    }
    record = next;
  }
  return found;
}

/** The pair at a place is broken up. */
function unlist(place: u32, first: u32, second: u32): void {
  const previous = before(place);
  if (previous === UNLISTED) return;
  setBefore(place, UNLISTED);
  const record = find((first << 12) | second);
  if (record === NONE) return;
  const fields = records + (record as usize) * RECORD;
  const next = after(place);
  if (previous === NONE) put(fields, 2, next);
  else setAfter(previous, next);
  if (next !== NONE) setBefore(next, previous);
  put(fields, 1, at(fields, 1) - 1);
}

/** Puts a place at the end of a list of LEFT or RIGHT. */
function list(lists: usize, symbol: u32, place: u32): void {
  const fields = lists + (symbol as usize) * 12;
  const count = at(fields, 0);
  if (count === 0) {
    put(fields, 1, place);
    setBefore(place, NONE);
  } else {
    const last = at(fields, 2);
    setAfter(last, place);
    setBefore(place, last);
  }
  setAfter(place, NONE);
  put(fields, 2, place);
  put(fields, 0, count + 1);
}

/** Takes the place that was put last from the end of a list of RIGHT. */
function takeBack(symbol: u32, place: u32): void {
  const fields = RIGHT + (symbol as usize) * 12;
  const previous = before(place);
  put(fields, 0, at(fields, 0) - 1);
  put(fields, 2, previous);
  if (previous !== NONE) setAfter(previous, NONE);
  setBefore(place, UNLISTED);
}

/** Replaces the most frequent pair by `symbol`, whose length it sets; returns how often, 0 if no pair is frequent enough. */
export function replaceBest(symbol: u32): u32 {
  const record = mostFrequent();
  if (record === NONE) return 0;
  const pair = at(records + (record as usize) * RECORD, 0);
  let place = at(records + (record as usize) * RECORD, 2);
  const first = pair >> 12;
  const second = pair & 0xfff;
  pairedFirst = first;
  pairedSecond = second;
  drop(record);
  store<u16>(
    LENGTH + ((symbol as usize) << 1),
    load<u16>(LENGTH + ((first as usize) << 1)) + load<u16>(LENGTH + ((second as usize) << 1)),
  );
  let replaced: u32 = 0;
  /** The occurrence before: its place; whether it is the second of a pair of new symbols. */
  let earlier = NONE;
  let isSecond = false;
  while (place !== NONE) {
    const next = after(place);
    const middle = following(place);
    const end = following(middle);
    replaced++;
    setBefore(place, UNLISTED);
    let joins = false;
    if (place > 0) {
      const left = preceding(place);
      const neighbour = symbolAt(left);
      if (left === earlier) {
        // The pair of the new symbol and what was `first` is now one of two new symbols.
        if (before(left) !== UNLISTED) takeBack(first, left);
        joins = !isSecond && isShort(symbol, symbol);
        if (joins) list(LEFT, symbol, left);
      } else {
        unlist(left, neighbour, first);
        if (isShort(neighbour, symbol)) list(LEFT, neighbour, left);
      }
    }
    if (end < size) {
      const neighbour = symbolAt(end);
      unlist(middle, second, neighbour);
      if (isShort(symbol, neighbour)) list(RIGHT, neighbour, place);
    }
    putSymbol(place, symbol);
    putSymbol(middle, GAP);
    setAfter(place + 1, end);
    setBefore(end - 1, place);
    isSecond = joins;
    earlier = place;
    place = next;
  }
  for (let other: u32 = 0; other <= symbol; other++) {
    keep(LEFT, other, (other << 12) | symbol);
    keep(RIGHT, other, (symbol << 12) | other);
  }
  return replaced;
}

/** Makes a record of a list if it is long enough, and empties the list. */
function keep(lists: usize, other: u32, pair: u32): void {
  const fields = lists + (other as usize) * 12;
  const count = at(fields, 0);
  if (count === 0) return;
  put(fields, 0, 0);
  if (count < least) return;
  const record = add(pair);
  if (record === NONE) return;
  put(records + (record as usize) * RECORD, 1, count);
  put(records + (record as usize) * RECORD, 2, at(fields, 1));
  enter(record);
}

/** Closes the gaps; returns how many symbols there are. */
export function closeGaps(): u32 {
  let count: u32 = 0;
  for (let place: u32 = 0; place < size; place = following(place)) putSymbol(count++, symbolAt(place));
  return count;
}
