/**
 * Solves one slice: enumerate, convert, edges (if it has no unmoves), rounds, finish. Each is a step of a crew
 * (pipeline/engine/crew.ts), or several. A step whose manifest is there is not run again, so the same call continues after any
 * interruption, with any number of partitions. A small slice commits its table only.
 */
import { addCounters, newCounters } from '../../operators/core/counters.js';
import { StorageError } from '../../operators/core/errors.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import { expectListed } from '../../operators/storage/doubted-absence.js';
import type { SliceIndex } from '../game/game.js';
import {
  Converted,
  ConvertManifest,
  EdgesManifest,
  Enumerated,
  EnumerateManifest,
  FORMAT_VERSION,
  type PartRun,
  readManifest,
  TableManifest,
} from '../game/manifest.js';
import { type StepName, stepAt } from '../game/slice-objects.js';
import {
  EdgesPart,
  FinishedPart,
  ResidentPart,
  runNamesIn,
  SentManifest,
  SentPart,
} from '../game/step-manifests.js';
import { manifestHead } from '../tables/manifest-head.js';
import { runsOfTable } from '../tables/runs-of-table.js';
import { slicePrefix, tableManifestName } from '../tables/table-names.js';
import { digestOfParts, valueTypeFor } from '../tables/writer.js';
import { workPrefix } from './context.js';
import { type Crew, deleteShare, type Step } from './crew.js';
import { doRounds, type RoundsDone } from './do-rounds.js';
import { requireEdges } from './edge-run.js';
import { joinSent } from './epoch.js';
import { joinLabelRuns } from './label-planes.js';
import { PACE } from './pace.js';
import { joinSides, sumSides } from './sides.js';
import { type SliceOptions, type SliceWork, tellPhase } from './slice-work.js';

/** A slice of one part is solved in seconds: it is one step, which costs less than to keep what could be continued. */
export function isSmall({ parts }: Pick<SliceIndex, 'parts'>): boolean {
  return parts === 1;
}

/** Whose dependencies are solved. @throws Overtaken if the crew must be made again. */
export async function solveByCrew(options: SliceOptions, crew: Crew): Promise<TableManifest> {
  const { game, slice: name, metric, strategy, store } = options;
  const prefix = slicePrefix(game.name, metric, name);
  const tableName = tableManifestName(game.name, metric, name);
  const finished = await readManifest(store, tableName, TableManifest);
  if (finished !== null) {
    if (crew.isLeading) await removeLeftovers(options, prefix, finished);
    return finished;
  }
  await expectListed(store, `${workPrefix(prefix, strategy)}/`);
  const slice = game.slice(name);
  requireEdges(slice);
  const work = newWork(options, workPrefix(prefix, strategy));
  if (crew.chosen.mode === 'memory') {
    const table = await solveInMemory(work, crew, slice);
    await removeLeftovers(options, prefix, table);
    return table;
  }
  const enumerated = await enumerate(work, crew, slice);
  const converted = await convert(work, crew, enumerated);
  const edges = slice.unmoves === undefined ? await makeEdges(work, crew, slice, enumerated) : [];
  const rounds = await doRounds(work, crew, { enumerated, converted, edges });
  const table = await finish(work, crew, slice, rounds);
  await rounds.deleting;
  if (options.keepSteps !== true) await removeLeftovers(options, prefix, table);
  else await removeSuperseded(options, crew, [enumerated, converted, ...rounds.epochs], table);
  return table;
}

/** Deletes the runs that the steps name and the table does not need, in shares. */
async function removeSuperseded(
  { store, keepRuns }: SliceOptions,
  crew: Crew,
  steps: readonly object[],
  table: TableManifest,
): Promise<void> {
  if (keepRuns === true) return;
  const needed = new Set(runNamesIn(table.values));
  const superseded = new Set(runNamesIn(steps).filter((name) => !needed.has(name)));
  await deleteShare(store, crew, [...superseded]);
}

function newWork(options: SliceOptions, work: string): SliceWork {
  const counters = newCounters();
  return {
    ...options,
    pace: options.pace ?? PACE,
    work,
    header: { version: FORMAT_VERSION, game: options.game.name, slice: options.slice },
    counters,
    count(taken) {
      options.progress({ type: 'counted', slice: options.slice, counters: taken });
      return { ...taken };
    },
  };
}

/** Does a step and adds up its counts. */
async function stepOf<Part, Whole extends { counters: Record<string, number> }>(
  { work, counters }: SliceWork,
  crew: Crew,
  { name, ...step }: Omit<Step<Part, Whole>, 'manifest'> & { readonly name: StepName },
): Promise<Whole> {
  const done = await crew.step({ ...stepAt(work, { name }), ...step });
  addCounters(counters, { ...newCounters(), ...done.counters });
  return done;
}

/** Deletes objects that the finished table does not need: passing runs, and runs of interrupted attempts. */
export async function removeLeftovers(
  { store, keepRuns, keepSteps }: Pick<SliceOptions, 'store' | 'keepRuns' | 'keepSteps'>,
  prefix: string,
  table: TableManifest,
): Promise<void> {
  if (keepRuns === true) return;
  const needed = new Set(runsOfTable(table));
  const leftOver = (await store.list(`${prefix}/`)).filter((name) =>
    name.endsWith('.arrow') ? !needed.has(name) : name.startsWith(`${prefix}/steps/`) && keepSteps !== true,
  );
  await deleteAll(store, leftOver);
}

/** The first step of every slice. */
export const ENUMERATE = { name: 'enumerate' } as const;

/** @throws StorageError if it was done by another numbering of the positions, as all steps behind it. */
async function enumerate(
  work: SliceWork,
  crew: Crew,
  { name: slice, size, numbering }: SliceIndex,
): Promise<EnumerateManifest> {
  const enumerated: EnumerateManifest = await stepOf(work, crew, {
    name: ENUMERATE.name,
    kind: 'committed',
    part: Enumerated,
    whole: EnumerateManifest,
    begin: () => tellPhase(work, 'enumerate', 2 * size),
    run: (partition) => partition.enumerate(),
    join(parts, { counters }) {
      const sum = (field: 'legal' | 'lost' | 'drawn') => sumSides(parts.map((part) => part[field]));
      return {
        ...work.header,
        step: 'enumerate',
        ...(numbering !== undefined && { numbering }),
        labels: joinLabelRuns(parts.map((part) => part.labels)),
        mates: parts.flatMap((part) => part.mates),
        converting: parts.flatMap((part) => part.converting),
        legal: sum('legal'),
        lost: sum('lost'),
        drawn: sum('drawn'),
        counters: work.count(counters),
      };
    },
  });
  if (enumerated.numbering === numbering) return enumerated;
  const other = `describes another index of ${slice} than this version uses: delete ${work.work}/ to begin again`;
  throw new StorageError(stepAt(work.work, ENUMERATE).manifest, other);
}

async function convert(
  work: SliceWork,
  crew: Crew,
  { converting }: EnumerateManifest,
): Promise<ConvertManifest> {
  return stepOf(work, crew, {
    name: 'convert',
    kind: 'committed',
    part: Converted,
    whole: ConvertManifest,
    begin: () => tellPhase(work, 'convert', null),
    run: (partition) => partition.convert(converting),
    join: (parts, { counters }) => ({
      ...work.header,
      step: 'convert',
      events: parts.flatMap((part) => part.events),
      ...(parts.some((part) => part.turns) ? { turns: parts.flatMap((part) => part.turns ?? []) } : {}),
      requests: parts.reduce((sum, part) => sum + part.requests, 0),
      answers: parts.reduce((sum, part) => sum + part.answers, 0),
      counters: work.count(counters),
    }),
  });
}

/** The edge runs of a slice without unmoves. */
async function makeEdges(
  work: SliceWork,
  crew: Crew,
  { size }: SliceIndex,
  { labels }: EnumerateManifest,
): Promise<readonly PartRun[]> {
  const done = await readManifest(work.store, stepAt(work.work, { name: 'edges' }).manifest, EdgesManifest);
  if (done !== null && crew.durable) {
    addCounters(work.counters, { ...newCounters(), ...done.counters });
    return done.edges;
  }
  const { sent, counters } = await stepOf(work, crew, {
    name: 'moves',
    kind: 'passing',
    part: SentPart,
    whole: SentManifest,
    // Every position is passed twice: to make its moves, and to write those that lead to it.
    begin: () => tellPhase(work, 'edges', 4 * size),
    run: async (partition, again) => ({ sent: await partition.emitEdges(labels, again) }),
    join: (parts, took) => joinSent({ ...work.header }, parts, took),
  });
  work.count({ ...newCounters(), ...counters });
  const made = await stepOf(work, crew, {
    name: 'edges',
    kind: 'committed',
    part: EdgesPart,
    whole: EdgesManifest,
    run: (partition) => partition.writeEdges(sent),
    join: (parts, { counters }) => ({
      ...work.header,
      step: 'edges',
      edges: parts.map(({ run }) => run),
      rows: parts.reduce((sum, { rows }) => sum + rows, 0),
      counters: work.count(counters),
    }),
  });
  return made.edges;
}

/** All steps in one, of a slice that fits the budget. */
async function solveInMemory(work: SliceWork, crew: Crew, { size }: SliceIndex): Promise<TableManifest> {
  return crew.step({
    name: 'resident',
    manifest: tableManifestName(work.game.name, work.metric, work.slice),
    kind: 'result',
    part: ResidentPart,
    whole: TableManifest,
    begin: () => tellPhase(work, 'resident', 4 * size),
    run: (partition) => partition.resident(),
    join(parts, { counters }) {
      work.count(counters);
      addCounters(work.counters, counters);
      const [{ rounds, longest, clocks, turned }] = parts as [ResidentPart];
      for (const { ply, won, lost, requests } of rounds)
        work.progress({ type: 'round', slice: work.slice, ply, requests, labelled: won + lost, won });
      return {
        ...tableOf(work, parts, longest),
        ...(clocks === undefined ? {} : { clocks }),
        ...(work.metric === 'score' && turned !== undefined ? { turned } : {}),
        rounds: rounds.length,
        requests: rounds.reduce((sum, { requests }) => sum + requests, 0),
        counters: { ...work.counters },
      };
    },
  });
}

/** The facts of a table's values. */
function tableOf({ game, slice, metric }: SliceWork, parts: readonly FinishedPart[], longest: number) {
  const digest = (side: 0 | 1) => digestOfParts(parts.flatMap((part) => part.partDigests[side]));
  return {
    ...manifestHead(game, slice, metric),
    valueType: valueTypeFor(metric, longest),
    values: joinSides(parts.map((part) => part.values)),
    digests: [digest(0), digest(1)] as [string, string],
    positions: sumSides(parts.map((part) => part.positions)),
    wins: sumSides(parts.map((part) => part.wins)),
    losses: sumSides(parts.map((part) => part.losses)),
    longestWin: [longestOf(parts, 0), longestOf(parts, 1)] as [number | null, number | null],
  };
}

async function finish(
  work: SliceWork,
  crew: Crew,
  { size }: SliceIndex,
  rounds: RoundsDone,
): Promise<TableManifest> {
  const { game, slice, metric } = work;
  const { labels, events, longest } = rounds;
  return crew.step({
    name: 'finish',
    manifest: tableManifestName(game.name, metric, slice),
    kind: 'result',
    part: FinishedPart,
    whole: TableManifest,
    begin: () => tellPhase(work, 'finish', 2 * size),
    run: (partition) => partition.finish({ labels, events, longest }),
    join(parts, { counters }) {
      work.count(counters);
      addCounters(work.counters, counters);
      return {
        ...tableOf(work, parts, longest),
        ...(metric === 'score' ? { turned: [...rounds.turned] } : {}),
        rounds: rounds.rounds,
        requests: rounds.epochs.reduce((sum, epoch) => sum + epoch.requests, 0),
        counters: { ...work.counters },
      };
    },
  });
}

function longestOf(parts: readonly FinishedPart[], side: 0 | 1): number | null {
  return parts.reduce<number | null>((most, { longestWin }) => {
    const plies = longestWin[side];
    return plies === null ? most : Math.max(most ?? 0, plies);
  }, null);
}
