/** Tests that take long are run where MERGEMATE_TEST_LONG is 1, as .ci/run sets it; elsewhere they skip and say so. */
export const LONG = process.env.MERGEMATE_TEST_LONG === '1';
export const ifShort = LONG ? '' : ' (skipped: MERGEMATE_TEST_LONG is not 1)';
