/**
 * Squares of up to three like men as one number, whatever the order of the men. Digits a <= b <= c have the number `a
 * + b(b + 1)/2 + c(c + 1)(c + 2)/6`. All numbers below that of the next greater digit are of lesser ones.
 */
const NONE: i32 = 64;
let low: i32 = NONE;
let middle: i32 = NONE;
let high: i32 = NONE;

export function beginAlike(): void {
  low = middle = high = NONE;
}

export function addAlike(digit: i32): void {
  if (digit < low) {
    high = middle;
    middle = low;
    low = digit;
  } else if (digit < middle) {
    high = middle;
    middle = digit;
  } else high = digit;
}

/**
 * How many ways so many like men have to stand on so many squares. It is also the number where a greatest digit is
 * the first.
 */
export function waysAlike(men: i32, squares: i32): i32 {
  if (men === 1) return squares;
  if (men === 2) return (squares * (squares + 1)) / 2;
  return (squares * (squares + 1) * (squares + 2)) / 6;
}

/** The number of the digits that were added, two or three. */
export function numberAlike(): i32 {
  const two = low + waysAlike(2, middle);
  return high === NONE ? two : two + waysAlike(3, high);
}

/** The same with one digit more, which is not added. */
export function numberAlikeWith(digit: i32): i32 {
  const before = low;
  const between = middle;
  addAlike(digit);
  const number = numberAlike();
  low = before;
  middle = between;
  high = NONE;
  return number;
}

/** The greatest digit of a number of so many men. */
export function greatestAlike(men: i32, number: i32): i32 {
  let digit = 0;
  while (waysAlike(men, digit + 1) <= number) digit++;
  return digit;
}
