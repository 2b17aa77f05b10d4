/** Follows the events of a slice at work: what was done so far, and the present step, as records have them. */
import { newCounters } from '../../operators/core/counters.js';
import { sumCounters } from '../../pipeline/game/counters-record.js';
import type { Progress } from '../../pipeline/game/progress.js';
import { guessAhead } from '../../pipeline/graph/guess-nodes.js';
import type { History, PhaseRecord, SliceProgress } from '../../pipeline/tables/records/record-shapes.js';

/** Progress with the time at which it was made, in ms since 1970: it arrives later, and much of it at once. */
export type Stamped = Progress & { readonly at: number };

/** Time at which it was made; now unless given. */
export function timeOfProgress(progress: Progress | Stamped): number {
  return 'at' in progress ? progress.at : Date.now();
}

/** Layers of keyed games are phases, and may be thousands: beyond so many, the first ones are merged into one. */
const MOST_PHASES = 128;

function asOne(first: PhaseRecord, second: PhaseRecord): PhaseRecord {
  const phase = `${first.phase.split(' … ')[0]} … ${second.phase}`;
  return { phase, startedAt: first.startedAt, wallMs: first.wallMs + second.wallMs };
}

/** Times are milliseconds, from any origin that the callers of one object share; for records since 1970. */
export class FollowedSlice {
  readonly #slice: string;
  readonly #phases: SliceProgress['phases'] = [];
  readonly #rounds: SliceProgress['rounds'] = [];
  readonly #found = new FoundGame();
  #phase: SliceProgress['phase'] | null = null;
  #counters: Record<string, number> = { ...newCounters() };
  #lastRoundAt = 0;
  #trouble: string | null = null;

  constructor(slice: string) {
    this.#slice = slice;
  }

  /** The failure after which the process tries again, if that is the last event. */
  get trouble(): string | null {
    return this.#trouble;
  }

  follow(progress: Progress, at: number): void {
    this.#found.follow(progress, at);
    this.#trouble = progress.type === 'trouble' ? progress.what : null;
    const phase = this.#phase;
    if (progress.type === 'phase') {
      this.#endPhase(at);
      this.#phase = { phase: progress.phase, startedAt: at, total: progress.total, done: 0 };
      this.#lastRoundAt = at;
    } else if (progress.type === 'work' && phase !== null && phase.phase !== 'rounds') {
      phase.done += progress.done;
    } else if (progress.type === 'round') {
      const { ply, requests, labelled, won = labelled } = progress;
      const wallMs = Math.max(0, at - this.#lastRoundAt);
      this.#rounds.push({ ply, won, lost: labelled - won, requests, wallMs });
      this.#lastRoundAt = at;
      if (phase !== null) phase.done += labelled;
    } else if (progress.type === 'counted') {
      this.#counters = sumCounters([this.#counters, progress.counters as unknown as Record<string, number>]);
    }
  }

  /** The present progress; null before the first phase. */
  now(at: number): SliceProgress | null {
    if (this.#phase === null) return null;
    return {
      slice: this.#slice,
      ...this.#history(at),
      phase: { ...this.#phase },
      inAll: this.#found.left(at),
      trouble: this.#trouble,
    };
  }

  /** The history of the slice, which ends now; null if nothing was done. */
  end(at: number): History | null {
    this.#endPhase(at);
    return this.#phases.length === 0 ? null : this.#history(at);
  }

  #history(at: number): History {
    const startedAt = this.#phases[0]?.startedAt ?? this.#phase?.startedAt ?? at;
    return { startedAt, phases: this.#phases, rounds: this.#rounds, counters: this.#counters };
  }

  #endPhase(at: number): void {
    if (this.#phase === null) return;
    const { phase, startedAt } = this.#phase;
    const phases = this.#phases;
    phases.push({ phase, startedAt, wallMs: Math.max(0, at - startedAt) });
    this.#phase = null;
    if (phases.length > MOST_PHASES) phases.splice(0, 2, asOne(phases[0], phases[1]));
  }
}

/**
 * The time of all steps after finding, as a share of the time of finding: 0.53 for Connect Four on 4 x 6 squares, sorted in 64 MiB. Games with
 * slower rules, as most have, spend more of their time finding, so their share is smaller.
 */
const AFTER_FINDING = 0.5;

/** Guesses how long a game whose positions are found layer by layer will take in all. Other slices have no layers. */
class FoundGame {
  readonly #layers: number[] = [];
  #isFinding = false;
  /** Of this process: positions that were expanded, since when, and how long that has taken until the last of them. */
  #expanded = 0;
  #began = 0;
  #took = 0;
  /** Of the layer that is being expanded. */
  #left = 0;

  follow(progress: Progress, at: number): void {
    if (progress.type === 'phase') {
      this.#isFinding = progress.phase.startsWith('layer ');
      // Layers that an earlier process found come at once, with no work between them.
      if (this.#expanded === 0) this.#began = at;
      if (!this.#isFinding) return;
      this.#layers.push(progress.total ?? 0);
      this.#left = progress.total ?? 0;
    } else if (progress.type === 'work' && this.#isFinding) {
      this.#expanded += progress.done;
      this.#left -= progress.done;
      this.#took = at - this.#began;
    }
  }

  /** Null if nothing can be said. */
  left(at: number): NonNullable<SliceProgress['inAll']> | null {
    if (this.#expanded === 0 || this.#took === 0) return null;
    const ifLayersShrink = this.#isFinding;
    const ahead = ifLayersShrink ? guessAhead(this.#layers, 0) : 0;
    if (ahead === null || ahead === Number.POSITIVE_INFINITY) return null;
    const positionMs = this.#took / this.#expanded;
    const positions = this.#layers.reduce((sum, layer) => sum + layer, ahead);
    const after = AFTER_FINDING * positions * positionMs;
    const leftMs = ifLayersShrink
      ? (this.#left + ahead) * positionMs + after
      : after - (at - this.#began - this.#took);
    return leftMs < 0 ? null : { leftMs, ifLayersShrink };
  }
}
