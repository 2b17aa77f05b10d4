/** `mergemate plan`: the plan, and the forecast. */
import { expect, test } from 'vitest';
import { run, succeed, succeedJson } from '../../support/command.js';

interface Planned {
  slice: string;
  dependencies: string[];
  wave: number;
  size: number;
  parts: number;
  labelBytes: number;
  partitions: number;
  memory: number;
}

test('the plan lists slices after what they depend on, and cuts only large ones', async () => {
  const { slices } = await succeedJson<{ slices: Planned[] }>([
    'plan',
    'chess',
    'KBNKN',
    '--partitions',
    '4',
  ]);
  const names = slices.map(({ slice }) => slice);
  expect(names.at(-1)).toBe('KBNKN');
  for (const [i, { dependencies }] of slices.entries()) {
    for (const name of dependencies) expect(names.indexOf(name)).toBeLessThan(i);
  }
  expect(slices.filter(({ partitions }) => partitions > 1)).toEqual([
    expect.objectContaining({ slice: 'KBNKN', partitions: 4, parts: 462, size: 462 * 64 ** 3 }),
  ]);
});

test('--pieces plans all endings of that size in waves', async () => {
  const args = ['plan', 'chess', '--pieces', '4'];
  const { slices, waves } = await succeedJson<{ slices: Planned[]; waves: number[] }>(args);
  // 1 + 4 + 20 without pawns, 6 of KPK, 6 each of KQPK to KNKP, 21 each of KPPK and KPKP, one with en passant.
  expect(slices).toHaveLength(25 + 6 + 8 * 6 + 2 * 21 + 1);
  expect(waves.reduce((sum, count) => sum + count)).toBe(slices.length);
  const waveOf = new Map(slices.map(({ slice, wave }) => [slice, wave]));
  for (const { slice, wave, dependencies } of slices) {
    const before = dependencies.map((name) => waveOf.get(name)!);
    expect(wave).toBe(1 + Math.max(0, ...before));
    // Without pawns a capture takes one man, so men are waves.
    if (!slice.includes('P'))
      expect([wave, ...before]).toEqual([slice.length - 1, ...before.map(() => wave - 1)]);
  }
  expect(await succeed(args)).toMatch(/^122 slices in \d+ waves, at most \d+ in one \(wave \d+\)/m);
  const text = await succeed([...args.slice(0, 3), '5']);
  expect(text).toMatch(/^KQQK +1 .* in one step each /m);
  expect(text).toMatch(/^Slices by wave:\n *wave\n/m);
});

test('without --partitions there are as many as are worth it, at most one a rank, each with memory for a part', async () => {
  const args = ['plan', 'chess', 'KQRBKNN', '--memory', '64MiB', '--machines', '32'];
  const { slices } = await succeedJson<{ slices: Planned[] }>(args);
  const largest = slices.at(-1)!;
  expect(largest.partitions).toBe(32);
  expect(largest.memory).toBeGreaterThan(largest.labelBytes / (2 * largest.parts));
  expect(slices[0]).toMatchObject({ partitions: 1, memory: 64 * 2 ** 20 });
  expect(await succeed(args)).toMatch(/^KQRBKNN +244,\d{3},\d{3},\d{3} .* in \d+ partitions/m);
});

interface Forecast {
  total: Record<string, number>;
  range: { decided: number; total: Record<string, number> }[];
  slices: { slice: string; phases: { phase: string; barriers: number; partitions: number }[] }[];
}

const forecast = async (ending: string, ...more: string[]): Promise<Forecast> =>
  (await succeedJson<{ estimate: Forecast }>(['plan', 'chess', ending, '--estimate', ...more])).estimate;

test('a forecast is for the partitions and rounds that were given', async () => {
  const { slices, range } = await forecast('KBNKN', '--partitions', '8', '--rounds', '214');
  const { phases } = slices.at(-1)!;
  expect(phases.map(({ phase }) => phase)).toEqual(['start', 'rounds', 'finish', 'verify']);
  expect(phases[1]).toMatchObject({ partitions: 8 });
  expect(phases[1].barriers).toBeGreaterThan(8);
  expect(phases[1].barriers).toBeLessThan(214);
  expect(range.map(({ decided }) => decided)).toEqual([0.15, 0.65, 1]);
  const cpu = range.map(({ total }) => total.cpuSeconds);
  expect(cpu).toEqual(cpu.toSorted((a, b) => a - b));
});

test('the text says what is forecast and what is assumed', async () => {
  const text = await succeed([
    'plan',
    'chess',
    'KRBKNN',
    '--estimate',
    '--partitions',
    '64',
    '--machines',
    '16',
  ]);
  expect(text).toMatch(/^KRBKNN .* in 64 partitions/m);
  expect(text).toContain('nothing of this is measured');
  expect(text).toMatch(/^KRBKNN .* \d+ \(\d+-\d+\) /m);
  expect(text).toMatch(/^Assumed: 65\.00 % of the positions won or lost/m);
  expect(text).toMatch(/^rounds +\d+ x 64 /m);
  expect(text).not.toMatch(/NaN|undefined|Infinity|e\+/);
});

test.each<[string, string[], RegExp]>([
  ['more than all', ['--estimate', '--decided', '1.5'], /--decided must be between 0 and 1, not "1.5"/],
  ['no bandwidth', ['--estimate', '--bandwidth', '0'], /--bandwidth must be more than 0/],
  ['little memory', ['--memory', '1KiB'], /at least 1MiB/],
])('%s is one line and exit code 2', async (_what, flags, message) => {
  const { code, stdout, stderr } = await run(['plan', 'chess', 'KQK', ...flags]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
