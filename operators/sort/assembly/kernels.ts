/**
 * Radix sort of rows by the least significant digit first (Knuth 1998, section 5.2.5), stable. Rows come in columns and go back into
 * them. In between a row is one word: 32 bits, or 64 with one payload column, or 128 with two. So a pass writes to one place for each
 * digit, not to one in each column. All lies in an arena of the static memory.
 */

const MAX_DIGIT: usize = 11;
const MOST_PASSES: usize = 4;

export const ARENA_BYTES: i32 = 1 << 22;
/** The columns, each from a multiple of 16 bytes on, then the rows as words, and as many again. */
export const ARENA: usize = memory.data(1 << 22, 16);
/** u32, by pass and digit: how many rows have the digit, then where the next of them goes. */
const COUNTS: usize = memory.data(MOST_PASSES << (MAX_DIGIT + 2), 16);

/** The columns of the rows that are sorted. */
const MINOR: usize = ARENA;
let first: usize = 0;
let second: usize = 0;

/** Sorts rows of a minor by the digits of `width` bits of minor - min; `passes` digits, 1 to 4, have all its bits. */
export function sort0(rows: i32, min: u32, width: i32, passes: i32): void {
  sort<u32>(rows, min, width, passes);
}

/** As `sort0`, rows of a minor and one payload. */
export function sort1(rows: i32, min: u32, width: i32, passes: i32): void {
  sort<u64>(rows, min, width, passes);
}

/** As `sort0`, rows of a minor and two payloads. */
export function sort2(rows: i32, min: u32, width: i32, passes: i32): void {
  sort<v128>(rows, min, width, passes);
}

function sort<Row>(rows: i32, min: u32, width: i32, passes: i32): void {
  const column = (((rows as usize) << 2) + 15) & ~15;
  first = MINOR + column;
  second = first + column;
  let source = sizeof<Row>() === 4 ? first : sizeof<Row>() === 8 ? second : second + column;
  let target = source + (rows as usize) * sizeof<Row>();
  count(rows, min, width, passes);
  const mask: u32 = (1 << width) - 1;
  let isPacked = false;
  for (let pass = 0; pass < passes; pass++) {
    const counts = COUNTS + ((pass as usize) << (width + 2));
    const shift = pass * width;
    if (isConstant(counts, rows, ((load<u32>(MINOR) - min) >> shift) & mask)) continue;
    turnToStarts(counts, 1 << width);
    if (isPacked) {
      scatter<Row>(source, target, rows, min, shift, mask, counts);
      const free = source;
      source = target;
      target = free;
    } else pack<Row>(source, rows, min, shift, mask, counts);
    isPacked = true;
  }
  if (isPacked) unpack<Row>(source, rows);
}

/** Counts all digits in one read. */
function count(rows: i32, min: u32, width: i32, passes: i32): void {
  memory.fill(COUNTS, 0, (passes as usize) << (width + 2));
  const mask: u32 = (1 << width) - 1;
  const next = (4 as usize) << width;
  const end = MINOR + ((rows as usize) << 2);
  for (let at = MINOR; at < end; at += 4) {
    let rest = load<u32>(at) - min;
    let counts = COUNTS;
    for (let pass = 0; pass < passes; pass++) {
      const digit = counts + ((rest & mask) << 2);
      store<u32>(digit, load<u32>(digit) + 1);
      rest >>= width;
      counts += next;
    }
  }
}

/** Whether all rows have the digit. */
function isConstant(counts: usize, rows: i32, digit: u32): bool {
  return load<u32>(counts + ((digit as usize) << 2)) === (rows as u32);
}

function turnToStarts(counts: usize, size: i32): void {
  let start: u32 = 0;
  const end = counts + ((size as usize) << 2);
  for (let at = counts; at < end; at += 4) {
    const rows = load<u32>(at);
    store<u32>(at, start);
    start += rows;
  }
}

/** Moves rows from the columns to the places of their digits. */
function pack<Row>(target: usize, rows: i32, min: u32, shift: i32, mask: u32, starts: usize): void {
  const end = (rows as usize) << 2;
  for (let at: usize = 0; at < end; at += 4) {
    const minor = load<u32>(MINOR + at);
    const place = starts + ((((minor - min) >> shift) & mask) << 2);
    const to = load<u32>(place);
    store<u32>(place, to + 1);
    const row = target + (to as usize) * sizeof<Row>();
    if (sizeof<Row>() === 4) store<u32>(row, minor);
    else store<u64>(row, (minor as u64) | ((load<u32>(first + at) as u64) << 32));
    if (sizeof<Row>() === 16) store<u32>(row + 8, load<u32>(second + at));
  }
}

/** Moves rows to the places of their digits. */
function scatter<Row>(
  source: usize,
  target: usize,
  rows: i32,
  min: u32,
  shift: i32,
  mask: u32,
  starts: usize,
): void {
  const end = source + (rows as usize) * sizeof<Row>();
  for (let at = source; at < end; at += sizeof<Row>()) {
    const place = starts + ((((load<u32>(at) - min) >> shift) & mask) << 2);
    const to = load<u32>(place);
    store<u32>(place, to + 1);
    store<Row>(target + (to as usize) * sizeof<Row>(), load<Row>(at));
  }
}

/** Puts rows back into the columns. */
function unpack<Row>(source: usize, rows: i32): void {
  const end = (rows as usize) << 2;
  let row = source;
  for (let at: usize = 0; at < end; at += 4) {
    store<u32>(MINOR + at, load<u32>(row));
    if (sizeof<Row>() > 4) store<u32>(first + at, load<u32>(row + 4));
    if (sizeof<Row>() > 8) store<u32>(second + at, load<u32>(row + 8));
    row += sizeof<Row>();
  }
}
