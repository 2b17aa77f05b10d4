/** Solves in object storage whose clock is hours off, whose listings lag, and that answers with 304, 409 and 412: they cost no more requests. */
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../support/command.js';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { type S3Faults, startMemoryS3 } from '../../support/memory-s3.js';

process.env.AWS_ACCESS_KEY_ID ??= 'nobody';
process.env.AWS_SECRET_ACCESS_KEY ??= 'nothing';
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
const server = await startMemoryS3({ bucket: 'bucket', conditional: true, page: 1000 });
afterAll(() => server.close());

const NONE: Partial<S3Faults> = { aheadMs: 0, lagMs: 0, notModified: 0, conflicts: 0, unheard: 0 };
const HOUR = 3_600_000;
let stores = 0;

async function solved(faults: Partial<S3Faults>) {
  Object.assign(server.faults, NONE, faults);
  const store = `s3://bucket/solve-${stores++}?endpoint=${server.endpoint}&region=here`;
  const before = server.asked.length;
  const { code, stdout, stderr } = await run(['solve', 'chess', 'KRK', 'KQK', '--json', '--store', store]);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  // Heartbeats come by the clock: a busy machine has more of them.
  const requests = server.asked
    .slice(before)
    .filter((each) => !/-beat-|-end\.json|\/progress-/.test(each)).length;
  const { slices } = JSON.parse(stdout) as { slices: { digests: string[] }[] };
  Object.assign(server.faults, NONE);
  return { requests, digests: slices.map(({ digests }) => digests), stderr };
}

describe.skipIf(!LONG)(`a solve${ifShort}`, () => {
  const undisturbed = solved({});

  test.each<[string, Partial<S3Faults>, RegExp]>([
    [
      'the clock is two hours behind',
      { aheadMs: -2 * HOUR },
      /^[^\n]*: its clock is 2 h 00 min behind that of this machine[^\n]*\n$/,
    ],
    [
      'the clock is two hours ahead',
      { aheadMs: 2 * HOUR },
      /^[^\n]*: its clock is (2 h 00|1 h 59) min ahead of that of this machine[^\n]*\n$/,
    ],
    ['the clock is a second off', { aheadMs: 1000 }, /^$/],
    [
      'reads are answered with 304, and puts with 409, or with 412 after a lost answer',
      { notModified: 30, conflicts: 20, unheard: 25 },
      /^$/,
    ],
    ['listings lag', { lagMs: 1000 }, /^$/],
    ...sweep<[string, Partial<S3Faults>, RegExp]>(
      [],
      [],
      [
        [
          'all of it',
          { aheadMs: -2 * HOUR, lagMs: 500, notModified: 50, conflicts: 30, unheard: 40 },
          /its clock is/,
        ],
      ],
    ),
  ])(
    '%s',
    async (what, faults, said) => {
      const right = await undisturbed;
      const found = await solved(faults);
      console.info(`${what}: ${found.requests} requests for ${right.requests}`);
      expect(found.digests).toEqual(right.digests);
      expect(found.stderr).toMatch(said);
      expect(found.requests / right.requests).toBeLessThan(1.1);
    },
    60_000,
  );
});
