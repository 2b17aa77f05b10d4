/** `mergemate plan`: the plan, the forecast, and workflows that the engines' own published types and validators take. */
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Workflow } from '@kubernetes-models/argo-workflows/argoproj.io/v1alpha1';
import { Job } from 'kubernetes-models/batch/v1';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { run, succeed, succeedJson, testFolder } from '../support/cli.js';

const STORE = 's3://bucket/tables?endpoint=http://127.0.0.1:9000';
const shared = [
  '--partitions',
  '4',
  '--store',
  STORE,
  '--image',
  'registry.test/mergemate:1',
  '--rounds',
  '3',
];
const workflow = (format: string, ...more: string[]) =>
  succeed(['plan', 'chess', 'KBNKN', '--format', format, ...shared, ...more]);
const stepUri = (phase: string) =>
  `s3://bucket/tables/chess/dtm/KBNKN/steps/count/${phase}?endpoint=http://127.0.0.1:9000`;

/** Type errors of values against the types an engine publishes; these refuse properties that there are not. */
function typeErrors(module: string, values: readonly (readonly [type: string, value: unknown])[]): string {
  const folder = testFolder();
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const names = [...new Set(values.map(([type]) => type))];
  const lines = values.map(([type, value], i) => `export const v${i}: ${type} = ${JSON.stringify(value)};`);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'values.ts'),
    `import type { ${names.join(', ')} } from '${module}';\n${lines.join('\n')}\n`,
  );
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--types', 'node', '--target', 'ES2023'];
  const kinds = ['--module', 'NodeNext', '--moduleResolution', 'NodeNext'];
  const compiler = resolve('node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, ...flags, ...kinds, 'values.ts'], { cwd: folder });
    return '';
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
}

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

test('all endings of so many pieces, in waves', async () => {
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

test('without --partitions there are as many as pay, at most one a rank, and a rank can hold a part', async () => {
  const args = ['plan', 'chess', 'KQRBKNN', '--memory', '64MiB', '--machines', '32'];
  const { slices } = await succeedJson<{ slices: Planned[] }>(args);
  const largest = slices.at(-1)!;
  expect(largest.partitions).toBe(32);
  expect(largest.memory).toBeGreaterThan(largest.labelBytes / (2 * largest.parts));
  expect(slices[0]).toMatchObject({ partitions: 1, memory: 64 * 2 ** 20 });
  expect(await succeed(args)).toMatch(/^KQRBKNN +244,\d{3},\d{3},\d{3} .* in \d+ partitions/m);
});

interface Forecast {
  assumed: { calibration: Record<string, number> };
  total: Record<string, number>;
  cost: Record<string, number>;
  range: { decided: number; total: Record<string, number> }[];
  slices: { slice: string; phases: { phase: string; barriers: number; partitions: number }[] }[];
}

const forecast = async (ending: string, ...more: string[]): Promise<Forecast> =>
  (await succeedJson<{ estimate: Forecast }>(['plan', 'chess', ending, '--estimate', ...more])).estimate;

test('a forecast has what was asked: rounds, partitions, prices', async () => {
  const { slices, cost, range } = await forecast(
    'KBNKN',
    '--partitions',
    '8',
    '--rounds',
    '214',
    '--price-machine',
    '0',
  );
  const { phases } = slices.at(-1)!;
  expect(phases.map(({ phase }) => phase)).toEqual(['start', 'rounds', 'finish', 'verify']);
  expect(phases[1]).toMatchObject({ partitions: 8 });
  expect(phases[1]!.barriers).toBeGreaterThan(8);
  expect(phases[1]!.barriers).toBeLessThan(214);
  expect(cost.machines).toBe(0);
  expect(cost.operations).toBeGreaterThan(0);
  expect(range.map(({ decided }) => decided)).toEqual([0.15, 0.65, 1]);
  const cpu = range.map(({ total }) => total.cpuSeconds!);
  expect(cpu).toEqual(cpu.toSorted((a, b) => a - b));
});

test('prices and calibration are read from files; flags win', async () => {
  const folder = testFolder();
  const prices = join(folder, 'prices.json');
  writeFileSync(prices, '{"machineHour":0,"thousandPuts":0,"thousandGets":0,"gigabyteMonth":0}');
  const none = await forecast('KRK', '--prices', prices);
  expect(none.cost).toEqual({ machines: 0, operations: 0, storage: 0, total: 0, tablesMonth: 0 });
  const some = await forecast('KRK', '--prices', prices, '--price-gets', '1');
  expect(some.cost.total).toBeCloseTo(some.total.gets! / 1000, 6);
  const slow = { ...none.assumed.calibration, enumerateNs: 1e9 };
  const calibration = join(folder, 'slow.json');
  writeFileSync(calibration, JSON.stringify(slow));
  const slower = await forecast('KRK', '--calibration', calibration);
  expect(slower.total.cpuSeconds!).toBeGreaterThan(100 * none.total.cpuSeconds!);
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

test('Kubernetes Jobs are as its types and its validator want them, in order', async () => {
  const text = await workflow('k8s', '--machines', '2');
  const jobs = parseAllDocuments(text).map((document) => document.toJS());
  expect(
    typeErrors(
      'kubernetes-models/batch/v1',
      jobs.map((job) => ['IJob', job] as const),
    ),
  ).toBe('');
  for (const job of jobs) new Job(job).validate();
  const names: string[] = jobs.map((job) => job.metadata.name);
  expect(names).toEqual(names.toSorted());
  expect(names.slice(-6).map((name) => name.replace(/^mergemate-\d{5}-/, ''))).toEqual([
    'kbnkn-start',
    'kbnkn-round-00001',
    'kbnkn-round-00002',
    'kbnkn-round-00003',
    'kbnkn-finish',
    'kbnkn-verify',
  ]);
  const { spec } = jobs.at(-4);
  expect(spec).toMatchObject({ suspend: true, completionMode: 'Indexed', completions: 4, parallelism: 2 });
  const [{ command }] = spec.template.spec.containers;
  expect(command.slice(0, 5)).toEqual([
    'mergemate',
    'step',
    stepUri('round-00002'),
    '--task',
    '$(JOB_COMPLETION_INDEX)',
  ]);
  expect(text).toMatch(/^# Jobs of a mergemate plan/);
  // What the validators would have refused.
  const broken = { ...jobs[0], spec: { ...spec, completions: 'four' } };
  expect(() => new Job(broken).validate()).toThrow(/completions/);
});

test('an Argo Workflow is as its types and its validator want it', async () => {
  const value = parse(await workflow('argo', '--machines', '3'));
  const module = '@kubernetes-models/argo-workflows/argoproj.io/v1alpha1';
  expect(typeErrors(module, [['IWorkflow', value]])).toBe('');
  new Workflow(value).validate();
  const { templates, entrypoint, parallelism } = value.spec;
  expect(parallelism).toBe(3);
  const { tasks } = templates.find(({ name }: { name: string }) => name === entrypoint).dag;
  const byName = new Map<string, { template: string; dependencies?: string[]; withSequence?: object }>(
    tasks.map((task: { name: string }) => [task.name, task]),
  );
  expect(byName.get('kbnkn-start')!.dependencies!.toSorted()).toEqual(['kbkn', 'kbnk', 'knkn']);
  expect(byName.get('kbnkn-finish')!.dependencies).toEqual(['kbnkn-round-00003']);
  expect(byName.get('kbnkn-round-00001')).toMatchObject({
    template: 'run-kbnkn',
    withSequence: { count: '4' },
    arguments: { parameters: [{ value: stepUri('round-00001') }, { value: '{{item}}' }] },
  });
  const templateNames = templates.map(({ name }: { name: string }) => name);
  for (const { template } of byName.values()) expect(templateNames).toContain(template);
  expect(typeErrors(module, [['IWorkflow', { ...value, spec: { ...value.spec, paralelism: 1 } }]])).toMatch(
    /paralelism/,
  );
});

test("AWS Batch requests are as its client's types want them, and depend on jobs before them", async () => {
  const { jobDefinition, jobs } = JSON.parse(await workflow('aws-batch', '--queue', 'solving'));
  expect(
    typeErrors('@aws-sdk/client-batch', [
      ['RegisterJobDefinitionCommandInput', jobDefinition],
      ...jobs.map((job: unknown) => ['SubmitJobCommandInput', job] as const),
    ]),
  ).toBe('');
  const seen = new Set<string>();
  for (const { jobName, dependsOn = [], jobDefinition: definition } of jobs) {
    for (const { jobId } of dependsOn) expect(seen).toContain(jobId);
    expect(definition).toBe(jobDefinition.jobDefinitionName);
    seen.add(jobName);
  }
  const step = jobs.find(({ jobName }: { jobName: string }) => jobName === 'kbnkn-round-00002');
  expect(step.arrayProperties).toEqual({ size: 4 });
  // What the service would run: the shell must put the index behind --task.
  const [shell, ...args] = step.containerOverrides.command;
  expect(args).toContain(stepUri('round-00002'));
  const echoed = execFileSync(
    shell,
    args.map((arg: string) => (arg === 'mergemate' ? 'echo' : arg)),
    {
      env: { PATH: process.env.PATH, AWS_BATCH_JOB_ARRAY_INDEX: '3' },
    },
  );
  expect(String(echoed)).toMatch(/^step s3:\S+ .* --task 3\n$/);
});

test('steps of a folder keep a question mark in its name', async () => {
  const args = [
    'plan',
    'chess',
    'KBNKN',
    '--partitions',
    '4',
    '--format',
    'k8s',
    '--image',
    'x',
    '--rounds',
    '1',
  ];
  const text = await succeed([...args, '--store', '/data/what?/']);
  expect(text).toContain('/data/what?/chess/dtm/KBNKN/steps/count/round-00001\n');
});

const badFile = (text: string): string => {
  const path = join(testFolder(), 'bad.json');
  writeFileSync(path, text);
  return path;
};

test.each<[string, () => string[], RegExp]>([
  ['a workflow without a store', () => ['--format', 'argo', '--image', 'x'], /--store URI/],
  ['a workflow without an image', () => ['--format', 'k8s', '--store', 's3://b'], /--image NAME/],
  [
    'array jobs without a queue',
    () => ['--format', 'aws-batch', '--store', 's3://b', '--image', 'x'],
    /--queue/,
  ],
  ['a workflow and a forecast', () => ['--format', 'argo', '--estimate'], /do not go with it/],
  ['more than all', () => ['--estimate', '--decided', '1.5'], /--decided: "1.5" is no share/],
  ['no price', () => ['--estimate', '--price-gets', 'cheap'], /--price-gets: "cheap" is no price/],
  ['no bandwidth', () => ['--estimate', '--bandwidth', '0'], /--bandwidth: 0 bytes/],
  ['little memory', () => ['--memory', '1KiB'], /at least 1MiB/],
  [
    'an unknown price',
    () => ['--estimate', '--prices', badFile('{"disk":1}')],
    /bad\.json: .*"disk".*known: /,
  ],
  [
    'a calibration cut short',
    () => ['--estimate', '--calibration', badFile('{"machine":"x"}')],
    /bad\.json: \w+: /,
  ],
])('%s is one line and exit code 2', async (_what, flags, message) => {
  const { code, stdout, stderr } = await run(['plan', 'chess', 'KQK', ...flags()]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('--commit fixes how slices are cut, also beside a workflow, and refuses another cut', async () => {
  const store = testFolder();
  const args = ['plan', 'chess', 'KBNKN', '--store', store, '--commit', '--partitions'];
  await succeed([...args, '3', '--format', 'argo', '--image', 'registry.test/mergemate:1', '--rounds', '1']);
  const plan = join(store, 'chess/dtm/KBNKN/steps/count/plan.json');
  expect((JSON.parse(readFileSync(plan, 'utf8')) as { partitions: unknown[] }).partitions).toHaveLength(3);
  await succeed([...args, '3']);
  const { code, stderr } = await run([...args, '4']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/was cut into 3 partitions before/)]);
});
