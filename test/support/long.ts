/**
 * Tests that take long are run where MERGEMATE_TEST_LONG is 1 (as .ci/run sets it) or more. The largest cases, of what
 * smaller ones test, too, are run where it is 2. Elsewhere they skip and say so.
 */
const asked = Number(process.env.MERGEMATE_TEST_LONG ?? 0);
export const LONG = asked >= 1;
export const ifShort = LONG ? '' : ' (skipped: MERGEMATE_TEST_LONG is not 1)';
export const LONGEST = asked >= 2;
export const ifNotLongest = LONGEST ? '' : ' (skipped: MERGEMATE_TEST_LONG is not 2)';

/** The cases of a sweep: a few of each kind in the short tests, more in the long ones, and in the longest `most`, too. */
export const sweep = <T>(few: readonly T[], more: readonly T[], most: readonly T[] = []): T[] => [
  ...few,
  ...(LONG ? more : []),
  ...(LONGEST ? most : []),
];
