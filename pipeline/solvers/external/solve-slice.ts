/**
 * Solves one slice: enumerate, convert, edges (if it has no unmoves), rounds, finish, each a step or several, each committed by a manifest. A step
 * whose manifest is there is not run again, so the same call continues after any interruption. A small slice is one step.
 */
import type { Budget } from '../../../operators/core/budget.js';
import { addCounters, type Counters, newCounters } from '../../../operators/core/counters.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game, Slice } from '../../game.js';
import {
  ConvertManifest,
  commitManifest,
  EdgesManifest,
  EnumerateManifest,
  type EventRun,
  FORMAT_VERSION,
  type LabelRuns,
  type PartRun,
  RoundsManifest,
  readManifest,
  TableManifest,
} from '../../manifest.js';
import { cutParts, type Strategy, workPrefix } from '../../phases/context.js';
import { requireEdges } from '../../phases/edge-run.js';
import { joinLabelRuns } from '../../phases/label-planes.js';
import type { Exchange, Labelled } from '../../phases/rounds.js';
import type { ProgressListener } from '../../progress.js';
import { manifestHead } from '../../table/manifest-head.js';
import { slicePrefix, tableManifestName } from '../../table/names.js';
import { digestOfParts, requirePlies, valueTypeFor } from '../../table/writer.js';
import type { Metric } from '../../value.js';
import { type Engine, memberBudget } from './engine.js';
import type { Member } from './member.js';
import { joinSides, sumSides } from './sides.js';

/**
 * Requests after which rounds are committed. Fixed, so that steps are the same on every machine: small slices are one
 * step, and an interruption loses a few seconds of work.
 */
export const COMMIT_REQUESTS = 2 ** 29;
/** Nor does a step hold more rounds than this, however few their requests. */
export const COMMIT_ROUNDS = 256;

export interface SliceOptions {
  readonly game: Game;
  readonly slice: string;
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly store: Store;
  readonly budget: Budget;
  readonly engine: Engine;
  readonly progress: ProgressListener;
}

/** A slice of one part is solved in seconds: it is one step, which costs less than to keep what could be continued. */
function isSmall({ parts }: Slice): boolean {
  return parts === 1;
}

export async function solveSlice(options: SliceOptions): Promise<TableManifest> {
  const { game, metric, store, engine, progress } = options;
  const prefix = slicePrefix(game.name, metric, options.slice);
  const tableName = tableManifestName(game.name, metric, options.slice);
  const finished = await readManifest(store, tableName, TableManifest);
  if (finished !== null) {
    await removeLeftovers(store, prefix, finished);
    return finished;
  }

  const slice = game.slice(options.slice);
  requireEdges(slice);
  const intervals = cutParts(slice.parts, engine.workers);
  const setups = intervals.map((parts) => ({
    slice: options.slice,
    metric,
    strategy: options.strategy,
    parts,
    budget: memberBudget(options.budget, intervals.length, slice),
    sharedPools: intervals.length > 1,
    durable: !isSmall(slice),
  }));
  const members = await engine.open(setups, (done) => progress({ type: 'work', slice: options.slice, done }));
  const work = new SliceWork(options, members, `${workPrefix(prefix, options.strategy)}`);
  const table = await work.run();
  const committed = await commitManifest(store, tableName, table, TableManifest);
  await removeLeftovers(store, prefix, committed);
  return committed;
}

/** Deletes what the finished table does not need: passing runs, and runs of interrupted attempts. */
async function removeLeftovers(store: Store, prefix: string, table: TableManifest): Promise<void> {
  const needed = new Set(table.values.flat().map((run) => run.name));
  for (const name of await store.list(`${prefix}/`)) {
    if (name.endsWith('.arrow') ? !needed.has(name) : name.startsWith(`${prefix}/steps/`))
      await store.delete(name);
  }
}

class SliceWork {
  private readonly header;
  /** Of all steps that are done, and of the one that is being done. */
  private readonly counters = newCounters();
  private uncommitted = newCounters();
  private readonly small: boolean;

  constructor(
    private readonly options: SliceOptions,
    private readonly members: readonly Member[],
    private readonly work: string,
  ) {
    this.small = isSmall(options.game.slice(options.slice));
    this.header = { version: FORMAT_VERSION, game: options.game.name, slice: options.slice } as const;
  }

  async run(): Promise<TableManifest> {
    const enumerated = await this.enumerate();
    const converted = await this.convert(enumerated);
    const edges = await this.edges(enumerated);
    const steps = await this.rounds(enumerated, converted, edges);
    return this.finish(enumerated, steps);
  }

  /** Calls all members at once; waits for all, also when one fails, so that nothing goes on behind an error. */
  private async all<T>(call: (member: Member) => Promise<T>): Promise<T[]> {
    const settled = await Promise.allSettled(this.members.map(call));
    return settled.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  private phase(phase: string, total: number | null): void {
    this.options.progress({ type: 'phase', slice: this.options.slice, phase, total });
  }

  private count(all: readonly Counters[]): void {
    const counters = newCounters();
    for (const each of all) addCounters(counters, each);
    addCounters(this.uncommitted, counters);
    this.options.progress({ type: 'counted', slice: this.options.slice, counters });
  }

  private async takeCounters(): Promise<Counters> {
    this.count(await this.all((member) => member.takeCounters()));
    const sum = this.uncommitted;
    this.uncommitted = newCounters();
    addCounters(this.counters, sum);
    return sum;
  }

  /** Reads the step's manifest or, if there is none, runs the step and commits it. Small slices commit only their table. */
  private async step<T extends { counters: Record<string, number> }>(
    name: string,
    shape: Parameters<typeof readManifest<T>>[2],
    run: () => Promise<T>,
  ): Promise<T> {
    if (this.small) return run();
    const manifestName = `${this.work}/${name}.json`;
    const done = await readManifest(this.options.store, manifestName, shape);
    if (done !== null) {
      addCounters(this.counters, { ...newCounters(), ...done.counters });
      return done;
    }
    const manifest = await run();
    return commitManifest(this.options.store, manifestName, manifest, shape);
  }

  private enumerate(): Promise<EnumerateManifest> {
    return this.step('enumerate', EnumerateManifest, async () => {
      const { game, slice } = this.options;
      this.phase('enumerate', 2 * game.slice(slice).size);
      const results = await this.all((member) => member.enumerate());
      const sum = (field: 'legal' | 'lost' | 'drawn') => sumSides(results.map((result) => result[field]));
      return {
        ...this.header,
        step: 'enumerate',
        labels: joinLabelRuns(results.map((result) => result.labels)),
        mates: results.flatMap((result) => result.mates),
        converting: results.flatMap((result) => result.converting),
        legal: sum('legal'),
        lost: sum('lost'),
        drawn: sum('drawn'),
        counters: { ...(await this.takeCounters()) },
      };
    });
  }

  private convert(enumerated: EnumerateManifest): Promise<ConvertManifest> {
    return this.step('convert', ConvertManifest, async () => {
      this.phase('convert', null);
      const results = await this.all((member) => member.convert(enumerated.converting));
      return {
        ...this.header,
        step: 'convert',
        events: results.flatMap((result) => result.events),
        requests: results.reduce((sum, result) => sum + result.requests, 0),
        answers: results.reduce((sum, result) => sum + result.answers, 0),
        counters: { ...(await this.takeCounters()) },
      };
    });
  }

  /** The edge runs of a slice without unmoves, else none. */
  private async edges({ labels }: EnumerateManifest): Promise<readonly PartRun[]> {
    const { game, slice } = this.options;
    const { size, unmoves } = game.slice(slice);
    if (unmoves !== undefined) return [];
    const made = await this.step('edges', EdgesManifest, async () => {
      // Every position is passed twice: to make its moves, and to write those that lead to it.
      this.phase('edges', 4 * size);
      const emitted = await this.all((member) => member.emitEdges(labels));
      const written = await this.all((member) => member.writeEdges(emitted));
      await this.all((member) => member.releaseEdges());
      return {
        ...this.header,
        step: 'edges' as const,
        edges: written.map(({ run }) => run),
        rows: written.reduce((sum, { rows }) => sum + rows, 0),
        counters: { ...(await this.takeCounters()) },
      };
    });
    return made.edges;
  }

  private async rounds(
    enumerated: EnumerateManifest,
    converted: ConvertManifest,
    edges: readonly PartRun[],
  ): Promise<RoundsManifest[]> {
    const { store, slice } = this.options;
    const steps: RoundsManifest[] = [];
    const name = (from: number) => `${this.work}/rounds-${String(from).padStart(5, '0')}.json`;
    let nextPly = 1;
    while (!this.small) {
      const step = await readManifest(store, name(nextPly), RoundsManifest);
      if (step === null) break;
      addCounters(this.counters, { ...newCounters(), ...step.counters });
      steps.push(step);
      nextPly = step.to;
      if (step.done) return steps;
    }

    this.phase('rounds', enumerated.legal[0] + enumerated.legal[1]);
    const lastConversion = Math.max(0, ...converted.events.map((run) => (run.rows > 0 ? run.last : 0)));
    const last = steps.at(-1);
    await this.all((member) =>
      member.openRounds({
        labels: last?.labels ?? enumerated.labels,
        events: [...enumerated.mates, ...steps.flatMap((step) => step.frontier)],
        conversions: converted.events,
        edges,
        nextPly,
      }),
    );
    let superseded = runNames(last?.labels ?? enumerated.labels);
    let longest = last?.longest ?? 0;
    for (let done = false; !done; ) {
      const from = nextPly;
      const sum = { requests: 0, won: [0, 0] as [number, number], lost: [0, 0] as [number, number] };
      while (!done && sum.requests < COMMIT_REQUESTS && nextPly - from < COMMIT_ROUNDS) {
        const round = await this.round(nextPly);
        const labelled = round.won[0] + round.won[1] + round.lost[0] + round.lost[1];
        if (labelled > 0) {
          requirePlies(slice, this.options.metric, nextPly);
          longest = nextPly;
        }
        sum.requests += round.requests;
        for (const side of [0, 1]) {
          sum.won[side]! += round.won[side]!;
          sum.lost[side]! += round.lost[side]!;
        }
        const { requests } = round;
        const won = round.won[0] + round.won[1];
        this.options.progress({ type: 'round', slice, ply: nextPly, requests, labelled, won });
        done = labelled === 0 && nextPly >= lastConversion;
        nextPly++;
      }
      const committed = await this.all((member) => member.commit(nextPly));
      const step: RoundsManifest = {
        ...this.header,
        step: 'rounds',
        from,
        to: nextPly,
        labels: joinLabelRuns(committed.map((result) => result.labels)),
        frontier: committed.flatMap((result) => result.frontier),
        done,
        longest,
        ...sum,
        counters: { ...(await this.takeCounters()) },
      };
      if (this.small) {
        steps.push(step);
        continue;
      }
      steps.push(await commitManifest(store, name(from), step, RoundsManifest));
      const kept = runNames(step.labels);
      for (const name of superseded) if (!kept.has(name)) await store.delete(name);
      superseded = kept;
    }
    await this.all((member) => member.closeRounds());
    if (!this.small) for (const run of edges) await store.delete(run.name);
    return steps;
  }

  private async round(ply: number): Promise<Omit<Labelled, 'stayed'> & { requests: number }> {
    const requests = await this.all((member) => member.expand(ply));
    let count = requests.reduce((sum, exchange) => sum + exchange.requests, 0);
    let asked: Exchange[] = [];
    let escapes: Exchange[] = [];
    if (this.options.strategy === 'lookup') {
      const asks = await this.all((member) => member.ask(ply, requests));
      count += asks.reduce((sum, exchange) => sum + exchange.requests, 0);
      asked = asks;
      escapes = await this.all((member) => member.answer(asked));
    }
    const labelled = await this.all((member) => member.apply(ply, requests, escapes));
    this.count(await this.all((member) => member.release()));
    return {
      requests: labelled.reduce((sum, result) => sum + result.stayed, count),
      won: sumSides(labelled.map((result) => result.won)),
      lost: sumSides(labelled.map((result) => result.lost)),
    };
  }

  private async finish(
    enumerated: EnumerateManifest,
    steps: readonly RoundsManifest[],
  ): Promise<TableManifest> {
    const { game, slice, metric } = this.options;
    this.phase('finish', 2 * game.slice(slice).size);
    const longest = steps.at(-1)!.longest;
    const events: EventRun[] = [...enumerated.mates, ...steps.flatMap((step) => step.frontier)];
    const results = await this.all((member) =>
      member.finish({ labels: steps.at(-1)!.labels, events, longest }),
    );
    await this.takeCounters();
    const digest = (side: 0 | 1) => digestOfParts(results.flatMap((result) => result.partDigests[side]));
    const longestWin = (side: 0 | 1) =>
      results.reduce<number | null>((most, result) => {
        const plies = result.longestWin[side];
        return plies === null ? most : Math.max(most ?? 0, plies);
      }, null);
    return {
      ...manifestHead(game, slice, metric),
      valueType: valueTypeFor(metric, longest),
      values: joinSides(results.map((result) => result.values)),
      digests: [digest(0), digest(1)],
      positions: sumSides(results.map((result) => result.positions)),
      wins: sumSides(results.map((result) => result.wins)),
      losses: sumSides(results.map((result) => result.losses)),
      longestWin: [longestWin(0), longestWin(1)],
      rounds: steps.at(-1)!.to - 1,
      requests: steps.reduce((sum, step) => sum + step.requests, 0),
      counters: { ...this.counters },
    };
  }
}

function runNames(labels: LabelRuns): Set<string> {
  return new Set([...labels.counts, ...labels.unwon].flat().map((run) => run.name));
}
