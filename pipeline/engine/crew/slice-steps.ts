/**
 * Solves one slice: enumerate, convert, edges (if it has no unmoves), rounds, finish. Each is a step of a crew
 * (pipeline/engine/crew/crew.ts), or several. A step whose manifest is there is not run again, so the same call continues after any
 * interruption, with any number of partitions. A small slice commits its table only.
 */

import { StorageError } from '../../../operators/core/errors.js';
import { deleteAll } from '../../../operators/storage/delete-all.js';
import { expectListed } from '../../../operators/storage/doubted-absence.js';
import type { SliceIndex } from '../../game/game.js';
import {
  Converted,
  ConvertManifest,
  EdgesManifest,
  Enumerated,
  EnumerateManifest,
  type PartRun,
  type RoundDone,
  readManifest,
  TableManifest,
} from '../../game/manifest.js';
import { stepAt } from '../../game/slice-objects.js';
import { EdgesPart, FinishedPart, ResidentPart, runsOnlyIn } from '../../game/step-manifests.js';
import { stipulations } from '../../game/stipulation.js';
import { manifestHead } from '../../tables/manifest-head.js';
import { runsOfTable } from '../../tables/runs-of-table.js';
import { requireIndex } from '../../tables/table.js';
import { tableManifestName } from '../../tables/table-names.js';
import { digestOfParts, valueTypeFor } from '../../tables/writer.js';
import { joinLabelRuns } from '../memory/label-planes.js';
import { requireEdges } from '../phases/edges.js';
import type { Crew } from './crew.js';
import { SliceRounds } from './do-rounds.js';
import { bySide, type SliceOptions, SliceWork, sending, sumField, sumSides } from './slice-work.js';

/** A slice of one part is solved in seconds: it is one step, which costs less than to keep what could be continued. */
export function isSmall({ parts }: Pick<SliceIndex, 'parts'>): boolean {
  return parts === 1;
}

/** Whose dependencies are solved. @throws Overtaken if the crew must be made again. */
export async function solveByCrew(options: SliceOptions, crew: Crew): Promise<TableManifest> {
  const { game, slice, metric, store, keepRuns, keepSteps } = options;
  const work = new SliceWork(options, crew);
  const finished = await readManifest(store, tableManifestName(game.name, metric, slice), TableManifest);
  if (finished !== null) {
    requireIndex(finished, work.index);
    if (crew.isLeading) await removeLeftovers(options, work.prefix, finished);
    return finished;
  }
  await expectListed(store, `${work.folder}/`);
  requireEdges(work.index);
  if (crew.chosen.mode === 'memory') {
    const table = await solveInMemory(work);
    await removeLeftovers(options, work.prefix, table);
    return table;
  }
  const enumerated = await enumerate(work);
  const converted = await convert(work, enumerated);
  const edges = work.index.unmoves === undefined ? await makeEdges(work, enumerated) : [];
  const rounds = new SliceRounds(work, enumerated, converted, edges);
  await rounds.run();
  const table = await finish(work, rounds);
  await rounds.deleting;
  if (keepSteps !== true) await removeLeftovers(options, work.prefix, table);
  else if (keepRuns !== true)
    await crew.deleteShare([...new Set(runsOnlyIn([enumerated, converted, ...rounds.epochs], table.values))]);
  return table;
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

/** @throws StorageError if it was done under another numbering of the positions, and so were all steps after it. */
async function enumerate(work: SliceWork): Promise<EnumerateManifest> {
  const { name, size, numbering } = work.index;
  const enumerated = await work.step(ENUMERATE, {
    kind: 'committed',
    part: Enumerated,
    whole: EnumerateManifest,
    phase: ['enumerate', 2 * size],
    run: (partition) => partition.enumerate(),
    join: (parts) => ({
      ...(numbering !== undefined && { numbering }),
      labels: joinLabelRuns(parts.map((part) => part.labels)),
      mates: parts.flatMap((part) => part.mates),
      converting: parts.flatMap((part) => part.converting),
      legal: sumSides(parts, 'legal'),
      lost: sumSides(parts, 'lost'),
      drawn: sumSides(parts, 'drawn'),
    }),
  });
  if (enumerated.numbering === numbering) return enumerated;
  const other = `describes another index of ${name} than this version uses: delete ${work.folder}/ to begin again`;
  throw new StorageError(stepAt(work.folder, ENUMERATE).manifest, other);
}

function convert(work: SliceWork, { converting }: EnumerateManifest): Promise<ConvertManifest> {
  return work.step(
    { name: 'convert' },
    {
      kind: 'committed',
      part: Converted,
      whole: ConvertManifest,
      phase: ['convert', null],
      run: (partition) => partition.convert(converting),
      join: (parts) => ({
        events: parts.flatMap((part) => part.events),
        numbers: [...new Set(parts.flatMap(({ numbers = [] }) => numbers))].sort((a, b) => a - b),
        requests: sumField(parts, 'requests'),
        answers: sumField(parts, 'answers'),
      }),
    },
  );
}

/** The edge runs of a slice without unmoves. */
async function makeEdges(work: SliceWork, { labels }: EnumerateManifest): Promise<readonly PartRun[]> {
  const edges = { name: 'edges' } as const;
  const done = await readManifest(work.options.store, stepAt(work.folder, edges).manifest, EdgesManifest);
  if (done !== null && work.crew.durable) {
    work.add(done);
    return done.edges;
  }
  const { sent } = await work.step(
    { name: 'moves' },
    {
      ...sending((partition, again) => partition.emitEdges(labels, again)),
      // Every position is passed twice: to make its moves, and to write those that lead to it.
      phase: ['edges', 4 * work.index.size],
    },
  );
  const made = await work.step(edges, {
    kind: 'committed',
    part: EdgesPart,
    whole: EdgesManifest,
    run: (partition) => partition.writeEdges(sent),
    join: (parts) => ({ edges: parts.map(({ run }) => run), rows: sumField(parts, 'rows') }),
  });
  return made.edges;
}

/** All steps in one, of a slice that fits the budget. */
function solveInMemory(work: SliceWork): Promise<TableManifest> {
  const { slice, progress } = work.options;
  return work.step(FINISH, {
    ...tableStep(work),
    part: ResidentPart,
    phase: ['resident', 4 * work.index.size],
    run: (partition) => partition.resident(),
    join(parts) {
      const [{ rounds, longest, clocks, turned }] = parts as [ResidentPart];
      for (const { ply, won, lost, requests } of rounds)
        progress({ type: 'round', slice, ply, requests, labelled: won + lost, won });
      return {
        ...tableOf(work, parts, longest),
        rounds: lastPly(rounds),
        requests: sumField(rounds, 'requests'),
        ...(clocks === undefined ? {} : { clocks }),
        ...(turned === undefined ? {} : { turned }),
      };
    },
  });
}

function finish(
  work: SliceWork,
  { labels, events, longest, rounds, rule }: SliceRounds,
): Promise<TableManifest> {
  return work.step(FINISH, {
    ...tableStep(work),
    part: FinishedPart,
    phase: ['finish', 2 * work.index.size],
    run: (partition) => partition.finish({ labels, events, longest }),
    join: (parts) => ({
      ...tableOf(work, parts, longest),
      rounds: lastPly(rounds),
      requests: sumField(rounds, 'requests'),
      ...(stipulations[work.options.metric].scores ? { turned: rule.turned } : {}),
    }),
  });
}

const FINISH = { name: 'finish' } as const;

/** The ply of the last of the rounds. */
const lastPly = (rounds: readonly RoundDone[]): number => rounds.at(-1)?.ply ?? 0;

/** The step that makes the table. */
function tableStep({ options: { game, slice, metric }, counters }: SliceWork) {
  const manifest = tableManifestName(game.name, metric, slice);
  return { kind: 'result', manifest, whole: TableManifest, before: counters } as const;
}

/** The facts of a table's values. */
function tableOf(
  { index, options: { game, metric } }: SliceWork,
  parts: readonly FinishedPart[],
  longest: number,
) {
  const numbers = parts.flatMap((part) => part.numbers ?? []);
  return {
    ...manifestHead(game.name, index, metric),
    valueType: valueTypeFor(metric, longest),
    values: bySide((side) => parts.flatMap((part) => part.values[side])),
    digests: bySide((side) => digestOfParts(parts.flatMap((part) => part.partDigests[side]))),
    ...(numbers.length === 0
      ? {}
      : {
          numbers: {
            runs: bySide((side) => numbers.flatMap((part) => part.values[side])),
            digests: bySide((side) => digestOfParts(numbers.flatMap((part) => part.partDigests[side]))),
          },
        }),
    positions: sumSides(parts, 'positions'),
    wins: sumSides(parts, 'wins'),
    losses: sumSides(parts, 'losses'),
    longestWin: bySide((side) => {
      const plies = parts.flatMap((part) => part.longestWin[side] ?? []);
      return plies.length === 0 ? null : Math.max(...plies);
    }),
  };
}
