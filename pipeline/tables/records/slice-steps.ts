/**
 * The steps of a slice and their state: which steps a listing shows, what their parts were joined to, and of ranks who did which part and
 * when. This is the one model that `status`, the monitor, `scrub` and the records of ranks read.
 */
import { z } from 'zod';
import { sumCounters } from '../../game/counters-record.js';
import {
  ConvertManifest,
  EdgesManifest,
  EnumerateManifest,
  type ProcessRecord,
  RoundsManifest,
} from '../../game/manifest.js';
import type { RecordShape } from '../../game/record.js';
import {
  compareSteps,
  partName,
  plyOf,
  type SliceObject,
  type SliceStep,
  stepAt,
  stepFolder,
  workObject,
} from '../../game/slice-objects.js';
import {
  PartitionPlan,
  PartRecord,
  RoundManifest,
  runNamesIn,
  SentManifest,
} from '../../game/step-manifests.js';
import { strategies } from '../../game/strategy.js';
import type { PhaseRecord, RoundRecord } from './record-shapes.js';
import { type ManifestReader, objectOf, type SliceAt, type SliceObjects } from './slices.js';

/** What the parts of a step are joined to. The parts of the last steps, `finish` and `verify`, are joined to the table and its verification. */
const JOINED = {
  plan: PartitionPlan,
  enumerate: EnumerateManifest,
  convert: ConvertManifest,
  moves: SentManifest,
  edges: EdgesManifest,
  expand: SentManifest,
  ask: SentManifest,
  answer: SentManifest,
  round: RoundManifest,
  last: RoundManifest,
  commit: RoundsManifest,
} as const;
type JoinedName = keyof typeof JOINED;
type Joined = { [Name in JoinedName]: z.infer<(typeof JOINED)[Name]> };

/** The part of a partition, and the process that did it. */
export interface DonePart {
  readonly partition: number;
  readonly ran: ProcessRecord;
  /** What the part made and counted; of steps in which rows pass the joined manifest says it. */
  readonly did?: unknown;
  readonly counters?: Readonly<Record<string, number>>;
}
const Part = PartRecord.extend({ did: z.unknown() });

/** An object by its full name. */
export interface NamedObject {
  readonly name: string;
  readonly object: SliceObject;
}

/** The steps that a listing shows, by the names of their manifests, in their order. */
export class ListedSteps {
  /** Those whose joined manifest is there, and the plan. */
  readonly joined: SliceStep[] = [];
  /** Those of which parts are there, with the partitions that did theirs, ascending. */
  readonly parts: { readonly step: SliceStep; readonly partitions: number[] }[] = [];
  /** All objects, runs included. */
  readonly objects: NamedObject[] = [];

  /** @param strategy "count" or "lookup", or the name of another solver, whose steps have names of their own. */
  constructor(
    private readonly at: SliceAt,
    readonly strategy: string,
    files: readonly string[],
  ) {
    for (const file of files) {
      const object = workObject(file);
      if (object === null) continue;
      this.objects.push({ name: objectOf(at, `${this.folder}/${file}`), object });
      if (object.is === 'joined') this.joined.push(object.step);
      if (object.is === 'part') this.addPart(object);
    }
    this.joined.sort(compareSteps);
    this.parts.sort((a, b) => compareSteps(a.step, b.step));
  }

  private addPart({ step, partition }: Extract<SliceObject, { is: 'part' }>): void {
    const folder = stepFolder(step);
    const known = this.parts.findLast((each) => stepFolder(each.step) === folder);
    if (known === undefined) this.parts.push({ step, partitions: [partition] });
    else known.partitions.push(partition);
  }

  private get folder(): string {
    return `steps/${this.strategy}`;
  }

  /** Whether a crew does them: other solvers have manifests of their own. */
  get isByCrew(): boolean {
    return strategies.some((strategy) => strategy === this.strategy);
  }

  /** The commits of labels, by the first plies of their epochs. */
  get commits(): readonly SliceStep[] {
    return this.joined.filter(({ name }) => name === 'commit');
  }

  /** Whether all parts of a step are joined, so that the next step may begin. */
  isJoined({ name, ply }: SliceStep): boolean {
    return this.joined.some((step) => step.name === name && step.ply === ply);
  }

  /** The full name of the joined manifest of a step. */
  nameOf(step: SliceStep): string {
    return objectOf(this.at, stepAt(this.folder, step).manifest);
  }

  /** Reads those manifests that are still there. @throws DamageError */
  async read(reader: ManifestReader): Promise<SliceSteps> {
    const found = await Promise.all(
      this.joined.map(async (step) => {
        const shape: RecordShape<Joined[JoinedName]> = JOINED[step.name as JoinedName];
        const read = await reader.read([this.nameOf(step)], shape);
        return read.map((manifest) => ({ step, manifest }));
      }),
    );
    const joined = found.flat();
    // The joined manifest of a step in which rows pass states its parts, too.
    const parts: DoneParts[] = joined.flatMap(({ step, manifest }) =>
      'ran' in manifest ? [{ step, parts: manifest.ran.map((ran, partition) => ({ partition, ran })) }] : [],
    );
    const stated = new Set(parts.map(({ step }) => stepFolder(step)));
    for (const { step, partitions } of this.parts) {
      const folder = stepFolder(step);
      if (stated.has(folder)) continue;
      const names = partitions.map((each) => objectOf(this.at, `${this.folder}/${partName(folder, each)}`));
      parts.push({ step, parts: await reader.read(names, Part) });
    }
    return new SliceSteps(this, joined, parts);
  }
}

/** The steps among the names of a slice's objects, for each strategy or other solver that began it; known strategies first. */
export function stepsAmong(objects: SliceAt & Pick<SliceObjects, 'names'>): ListedSteps[] {
  const files = new Map<string, string[]>();
  for (const name of objects.names) {
    const [folder, strategy, ...rest] = name.split('/');
    if (folder !== 'steps' || rest.length === 0) continue;
    const known = files.get(strategy) ?? [];
    files.set(strategy, known);
    known.push(rest.join('/'));
  }
  return [...files]
    .map(([strategy, own]) => new ListedSteps(objects, strategy, own))
    .sort((a, b) => Number(b.isByCrew) - Number(a.isByCrew));
}

interface JoinedStep {
  readonly step: SliceStep;
  readonly manifest: Joined[JoinedName];
}

/** The parts of a step that are done; each step is there once. */
interface DoneParts {
  readonly step: SliceStep;
  readonly parts: readonly DonePart[];
}

/** The phase of a step, as people see it. */
export function phaseOf(step: SliceStep): string {
  if (step.name === 'moves') return 'edges';
  return step.ply === undefined ? step.name : 'rounds';
}

const endOf = ({ ran }: DonePart): number => ran.started + ran.wallMs;
const lastEnd = (parts: readonly DonePart[]): number => Math.max(...parts.map(endOf));
const firstStart = (parts: readonly DonePart[]): number => Math.min(...parts.map(({ ran }) => ran.started));
const both = ([white, black]: readonly [number, number]): number => white + black;

/** The manifests of the steps that a listing showed, as far as they were still there. */
export class SliceSteps {
  constructor(
    readonly listed: ListedSteps,
    private readonly joined: readonly JoinedStep[],
    private readonly done: readonly DoneParts[],
  ) {}

  private all<Name extends JoinedName>(...names: Name[]): Joined[Name][] {
    return this.joined.flatMap(({ step, manifest }) =>
      names.some((name) => name === step.name) ? [manifest as Joined[Name]] : [],
    );
  }

  get<Name extends JoinedName>(name: Name): Joined[Name] | undefined {
    return this.all(name)[0];
  }

  /** The last commit of labels. */
  get commit(): RoundsManifest | undefined {
    return this.all('commit').at(-1);
  }

  /** Steps whose runs and counters are not in a commit of labels: those of the rounds behind the last one, and all that have no ply. */
  private get uncommitted(): readonly JoinedStep[] {
    const from = this.commit?.to ?? 0;
    return this.joined.filter(({ step }) => step.name === 'commit' || (step.ply ?? from) >= from);
  }

  /** Parts with a record of the process that did them, of the phase or of all. */
  parts(phase?: string): DonePart[] {
    return this.done.flatMap(({ step, parts }) =>
      phase === undefined || phaseOf(step) === phase ? parts : [],
    );
  }

  /** Whether all manifests of the listing were still there: else another process clears the steps away, or goes on, now. */
  get isComplete(): boolean {
    const read = new Map(this.done.map(({ step, parts }) => [stepFolder(step), parts.length]));
    return (
      this.joined.length === this.listed.joined.length &&
      this.listed.parts.every(({ step, partitions }) => read.get(stepFolder(step))! >= partitions.length)
    );
  }

  /** All rounds that are done, ascending. Rounds that one partition does for all have no times of their own. */
  rounds(): RoundRecord[] {
    const committed = this.all('commit').flatMap(({ rounds }) => rounds);
    const others = this.uncommitted.flatMap(({ manifest }) =>
      manifest.step === 'round' ? [{ ...manifest, won: both(manifest.won), lost: both(manifest.lost) }] : [],
    );
    const byPly = new Map<number, DonePart[]>();
    for (const { step, parts } of this.done)
      if (step.ply !== undefined && step.name !== 'commit')
        byPly.set(step.ply, [...(byPly.get(step.ply) ?? []), ...parts]);
    return [...committed, ...others].map(({ ply, won, lost, requests }) => {
      const own = byPly.get(ply) ?? [];
      const before = byPly.get(ply - 1) ?? [];
      // A round takes from the end of the round before to its own.
      const from = before.length > 0 ? lastEnd(before) : firstStart(own);
      return { ply, won, lost, requests, wallMs: own.length > 0 ? Math.max(0, lastEnd(own) - from) : null };
    });
  }

  /**
   * The phases in which ranks had a part, as far as they are over; none of a slice that one process solves. Between two phases
   * stands a barrier: one begins when the one before ends. @param roundsEnd when the rounds were over, if that is known.
   */
  phases(roundsEnd: number | null): PhaseRecord[] {
    const records: PhaseRecord[] = [];
    for (const phase of ['enumerate', 'convert', 'edges', 'rounds', 'finish', 'verify']) {
      const parts = this.parts(phase);
      if (parts.length === 0) continue;
      const before = records.at(-1);
      const startedAt = before === undefined ? firstStart(parts) : before.startedAt + before.wallMs;
      const end = Math.max(lastEnd(parts), (phase === 'rounds' && roundsEnd) || 0);
      records.push({ phase, startedAt, wallMs: Math.max(0, end - startedAt) });
    }
    return records;
  }

  /** When the last part ended, ms since 1970; null if none is done. */
  get lastEnd(): number | null {
    const parts = this.parts();
    return parts.length === 0 ? null : lastEnd(parts);
  }

  /** Greatest resident set of the processes that had a part, bytes; null if none is known. */
  get peakRss(): number | null {
    const parts = this.parts();
    return parts.length === 0 ? null : Math.max(...parts.map(({ ran }) => ran.peakRss));
  }

  /** The process that did the last part of each partition, and when, by partition. */
  lastProcesses(): Map<number, ProcessRecord> {
    const ascending = this.parts().sort((a, b) => endOf(a) - endOf(b));
    return new Map(ascending.map(({ partition, ran }) => [partition, ran]));
  }

  /** The sum over all steps that are joined; null if none is. */
  counters(): Record<string, number> | null {
    const counters = this.uncommitted.flatMap(({ manifest }) =>
      'counters' in manifest ? [manifest.counters] : [],
    );
    return counters.length === 0 ? null : sumCounters(counters);
  }

  /** The full names of the runs that any manifest names. */
  namedRuns(): Set<string> {
    const all = [this.joined.map(({ manifest }) => manifest), this.done.map(({ parts }) => parts)];
    return new Set(runNamesIn(all));
  }

  /** The full names of the runs that the slice needs to go on. */
  neededRuns(): Set<string> {
    const [enumerated, converted, edges] = [this.get('enumerate'), this.get('convert'), this.get('edges')];
    const last = this.commit;
    const isOpen = (step: SliceStep) =>
      !this.listed.isJoined(step) && (plyOf(step) ?? Number.POSITIVE_INFINITY) >= (last?.to ?? 0);
    const needed = [
      enumerated?.mates,
      last === undefined && enumerated?.labels,
      converted === undefined && enumerated?.converting,
      converted?.events,
      edges === undefined && this.get('moves'),
      last?.done !== true && edges,
      this.all('commit').map(({ frontier }) => frontier),
      last?.labels,
      this.uncommitted.filter(({ step }) => step.ply !== undefined && step.name !== 'commit'),
      this.done.filter(({ step }) => isOpen(step)),
    ];
    return new Set(runNamesIn(needed));
  }
}
