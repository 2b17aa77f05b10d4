/** Identity of a rank, as its launcher gives it; and waiting of ranks. */
import { expect, test, vi } from 'vitest';
import { rankIdentity } from '../../../jobs/engines/rank-identity.js';
import { newWaiting } from '../../../jobs/engines/rank-waiting.js';
import { UserError } from '../../../operators/core/errors.js';

const slurm = { SLURM_PROCID: '3', SLURM_NTASKS: '8', SLURM_JOB_ID: '77' };

test.each([
  ['Slurm', slurm, {}, { rank: 3, ranks: 8, job: 'slurm-77-8' }],
  [
    'Open MPI, also inside Slurm',
    { ...slurm, OMPI_COMM_WORLD_RANK: '1', OMPI_COMM_WORLD_SIZE: '2', PMIX_NAMESPACE: 'prterun-host-12@1' },
    {},
    { rank: 1, ranks: 2, job: 'prterun-host-12_401-2' },
  ],
  [
    'an Indexed Job',
    { JOB_COMPLETION_INDEX: '5' },
    { ranks: 6, job: 'kbnkn' },
    { rank: 5, ranks: 6, job: 'kbnkn-6' },
  ],
  [
    'an array job',
    { AWS_BATCH_JOB_ARRAY_INDEX: '0', AWS_BATCH_JOB_ID: 'ab-12:0' },
    { ranks: 2 },
    { rank: 0, ranks: 2, job: 'ab-12-2' },
  ],
  ['flags, which win', slurm, { rank: 1, ranks: 2, job: 'own' }, { rank: 1, ranks: 2, job: 'own-2' }],
])('a rank is identified by the variables of %s', (_what, environment, flags, wanted) => {
  expect(rankIdentity(flags, environment)).toEqual(wanted);
});

test.each(['x', '', '-1', '1.5', '0x1'])(
  'a variable with %j is named, unless a flag takes its place',
  (text) => {
    for (const name of ['SLURM_PROCID', 'SLURM_NTASKS'])
      expect(() => rankIdentity({}, { ...slurm, [name]: text })).toThrow(
        `${name}: ${JSON.stringify(text)} is not a whole number`,
      );
    expect(rankIdentity({ rank: 0 }, { ...slurm, SLURM_PROCID: text })).toMatchObject({ rank: 0, ranks: 8 });
  },
);

test('different names of jobs have different names in the store, which stay below the folder of jobs', () => {
  const names = [
    'a',
    'a-1',
    'A',
    'team/a',
    'team-a',
    'team_a',
    'team_2fa',
    '../../x',
    '-x',
    'x',
    '..',
    'é',
    'e\u0301',
    ' ',
    'a b',
  ];
  const jobs = names.map((job) => rankIdentity({ rank: 0, ranks: 1, job }, {}).job);
  for (const job of jobs) expect(job).toMatch(/^[\w-]+-1$/);
  expect(new Set(jobs).size).toBe(names.length);
  expect(rankIdentity({ rank: 0, ranks: 11, job: 'a' }, {}).job).not.toBe(
    rankIdentity({ rank: 0, ranks: 1, job: 'a-1' }, {}).job,
  );
  expect(() => rankIdentity({ rank: 0, ranks: 1, job: '' }, {})).toThrow('--job must not be empty');
  expect(() => rankIdentity({ rank: 0, ranks: 1, job: '/'.repeat(100) }, {})).toThrow(
    '--job must be shorter',
  );
});

test('a missing variable is named', () => {
  expect(() => rankIdentity({}, {})).toThrow(UserError);
  expect(() => rankIdentity({}, {})).toThrow('give --rank, --ranks, --job,');
  expect(() => rankIdentity({}, { JOB_COMPLETION_INDEX: '0' })).toThrow('give --ranks, --job,');
  expect(() => rankIdentity({ rank: 2, ranks: 2, job: 'x' }, {})).toThrow('there is no rank 2 of 2');
});

test('a rank that waits for long prints every ten seconds which rank it waits for', async () => {
  const clock = vi.spyOn(performance, 'now');
  const said: string[] = [];
  const waiting = newWaiting({ rank: 1, ranks: 4, kind: 'folder', say: (line) => said.push(line) });
  const missing = async () => [2, 6, 7];
  let asked = 0;
  for (const [times, at] of [0, 9_000, 10_500, 15_000, 21_000].entries()) {
    clock.mockReturnValue(at);
    await waiting.reportMissing('round-00012', times, () => {
      asked++;
      return missing();
    });
  }
  clock.mockRestore();
  const line = 'rank 1 of 4 waits for round-00012: missing partitions 2, 6, 7 of ranks 2, 3';
  expect(said).toEqual([line, line]);
  // Asking costs a listing.
  expect(asked).toBe(2);
});
