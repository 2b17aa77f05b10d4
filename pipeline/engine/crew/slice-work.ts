/** The work on a slice: its options, and how its steps are done. */
import { addCounters, type Counters, newCounters } from '../../../operators/core/counters.js';
import type { Store } from '../../../operators/storage/store.js';
import { FORMAT_VERSION } from '../../game/format-version.js';
import type { ProgressListener } from '../../game/progress.js';
import type { RecordShape } from '../../game/record.js';
import { type SliceStep, stepAt } from '../../game/slice-objects.js';
import { Parcel, SentManifest } from '../../game/step-manifests.js';
import type { Strategy } from '../../game/strategy.js';
import type { Metric } from '../../game/value.js';
import { slicePrefix } from '../../tables/table-names.js';
import { workPrefix } from '../memory/context.js';
import { type Crew, type Step, sumOf } from './crew.js';
import { PACE, type Pace } from './pace.js';
import type { Solvable } from './slice-phases.js';

export interface SliceOptions {
  readonly game: Solvable;
  readonly slice: string;
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly store: Store;
  readonly progress: ProgressListener;
  /** Whether the runs that pass from round to round stay in the store, for people to look at. */
  readonly keepRuns?: boolean;
  /** `PACE` unless given. */
  readonly pace?: Pace;
  /** Whether manifests of the steps stay until the caller clears them away: ranks verify by them, and the record is made of them. */
  readonly keepSteps?: boolean;
}

/** The facts that the joined manifests of all steps state, and that {@link SliceWork.step} adds to them. */
interface Stated {
  readonly version: number;
  readonly game: string;
  readonly slice: string;
  readonly step: string;
  readonly counters: Record<string, number>;
}

/** A step of a slice: the schemas of its parts and of what they are joined to, and how both are made. */
export interface WorkStep<Part, Whole> extends Pick<Step<Part, object>, 'kind' | 'part' | 'run'> {
  readonly whole: RecordShape<Whole> & { readonly shape: { readonly step: { readonly value: string } } };
  /** The name of the joined manifest, if it is none of the folder of the steps. */
  readonly manifest?: string;
  /** The phase that begins with the step, and the positions that it passes, if they are known. */
  readonly phase?: readonly [name: string, positions: number | null];
  /** Counters of earlier steps that the joined manifest includes and that have not been added elsewhere. */
  readonly before?: Counters;
  /** States a version only if it is not {@link FORMAT_VERSION}. */
  join(parts: readonly Part[]): Omit<Whole, keyof Stated | 'ran'> & Partial<Pick<Whole & Stated, 'version'>>;
}

/** A step in which every partition sends rows, and nothing else. */
export function sending(run: WorkStep<Parcel, SentManifest>['run']): WorkStep<Parcel, SentManifest> {
  return {
    kind: 'passing',
    part: Parcel,
    whole: SentManifest,
    run,
    join: (parts) => ({ sent: [...parts] }),
  };
}

export class SliceWork {
  readonly index: ReturnType<Solvable['slice']>;
  /** Prefix of the names of all objects of the slice's table, and the folder of the steps. */
  readonly prefix: string;
  readonly folder: string;
  readonly pace: Pace;
  /** The sum over all steps that are done. */
  readonly counters = newCounters();

  constructor(
    readonly options: SliceOptions,
    readonly crew: Crew,
  ) {
    const { game, slice, metric, strategy } = options;
    this.index = game.slice(slice);
    this.pace = options.pace ?? PACE;
    this.prefix = slicePrefix(game.name, metric, slice);
    this.folder = workPrefix(this.prefix, strategy);
  }

  /** Does a step, and adds its counts; those of a commit of labels are added together with the commit, because another process may have made it. */
  async step<Part, Whole extends Stated>(
    step: SliceStep,
    { phase, join, before = newCounters(), ...made }: WorkStep<Part, Whole>,
    { crew, counters }: Pick<SliceWork, 'crew' | 'counters'> = this,
  ): Promise<Whole> {
    const { game, slice, progress } = this.options;
    const done = await crew.step<Part, Whole>({
      ...stepAt(this.folder, step),
      ...made,
      begin: () => phase && this.reportPhase(...phase),
      join: (parts, took) => {
        progress({ type: 'counted', slice, counters: took.counters });
        const stated: Stated = {
          version: FORMAT_VERSION,
          game: game.name,
          slice,
          step: made.whole.shape.step.value,
          counters: { ...sumOf([before, took.counters]) },
        };
        const passed = made.kind === 'passing' ? { ply: step.ply, ran: took.processes } : {};
        return { ...stated, ...passed, ...join(parts) } as unknown as Whole;
      },
    });
    if (made.kind !== 'labels') this.add(done, counters);
    return done;
  }

  /** Adds the counts of a step that is done. */
  add(done: Pick<Stated, 'counters'>, to: Counters = this.counters): void {
    addCounters(to, { ...newCounters(), ...done.counters });
  }

  reportPhase(phase: string, total: number | null): void {
    const { progress, slice } = this.options;
    progress({ type: 'phase', slice, phase, total });
  }
}

/** A value for each side to move. */
export function bySide<T>(of: (side: 0 | 1) => T): [T, T] {
  return [of(0), of(1)];
}

/** Adds up a field of all parts. */
export function sumSides<Field extends string>(
  parts: readonly Readonly<Record<Field, readonly [number, number]>>[],
  field: Field,
): [number, number] {
  return bySide((side) => parts.reduce((sum, part) => sum + part[field][side], 0));
}

export function sumField<Field extends string>(
  parts: readonly Readonly<Record<Field, number>>[],
  field: Field,
): number {
  return parts.reduce((sum, part) => sum + part[field], 0);
}
