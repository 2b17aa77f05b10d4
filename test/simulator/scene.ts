/** A scene: tasks of processes, the store they work on, and the faults they are to meet. */
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Clock } from './clock.js';
import type { FaultKind } from './faults.js';
import type { Process } from './process.js';

/** Work of a process, done again by another process if the first is lost. */
export interface ProcessTask {
  readonly name: string;
  /** @param attempt different in every process. @returns a text that must be the same in every run. */
  run(process: Process, attempt: string): Promise<string>;
}

export interface Scene {
  readonly name: string;
  /** The faults that mergemate claims to survive here. */
  readonly survives: readonly FaultKind[];
  /** Faults that are to end in a refusal, and then to be repaired, unless they do no harm. */
  readonly damages: readonly FaultKind[];
  /** How many times as often faults come as in others: where operations are few. */
  readonly often?: number;
  readonly games: ReadonlyMap<string, Game>;
  /** Objects in the store at the beginning. */
  readonly objects: ReadonlyMap<string, Uint8Array>;
  /** The files that the tasks are to make, by their names; tables and their steps have other checks. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  /** Whether an object has nothing by which a change of it is seen: such are written in vain, but not damaged otherwise. */
  isBare?(name: string): boolean;
  tasks(clock: Clock): ProcessTask[];
  /** Throws if an object in the store is wrong. */
  check(store: Store): Promise<void>;
  /** Solves a slice whose objects were deleted, for `repair`; absent where the tasks solve nothing. */
  solveAgain?(process: Process, slice: string): Promise<readonly [string, string]>;
  /** Does the work that refusals and `scrub` leave to a person, before the tasks are done again. */
  clearAway?(store: Store, damaged: readonly string[]): Promise<void>;
}
