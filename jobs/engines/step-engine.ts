/**
 * What runs steps elsewhere than in this process: child processes, or a batch engine. The unit is a *phase*: tasks that
 * do not depend on each other. Between phases stands a barrier. An engine knows nothing of games: it starts
 * `mergemate step URI --task N`, and whether a task is done says the store alone, so that exit codes, accounting and
 * logs may be lost, tasks may run twice, and finish late.
 */

/** Tasks that may run at once, in any order, any number of times. */
export interface StepPhase {
  /** URI of the phase in the store, as `mergemate step` takes it. */
  readonly uri: string;
  /** For names of jobs and logs, e.g. "KBNKN round 12". */
  readonly title: string;
  /** Numbers of the tasks that were not done when the phase was handed over, ascending. */
  readonly tasks: readonly number[];
  /** Bytes of buffers of one task; its process needs some 120 MiB beside. */
  readonly memory: number;
  /** Threads of one task. */
  readonly workers: number;
  /** Asks the store which of `tasks` are not done yet. */
  missing(): Promise<number[]>;
}

export type EngineEvent =
  /** A task was started, or started again after its machine was lost. */
  | { readonly type: 'started'; readonly phase: StepPhase; readonly task: number }
  /** A task's process ended; `problem` is null if it says that all went well, else what it said last. */
  | {
      readonly type: 'ended';
      readonly phase: StepPhase;
      readonly task: number;
      readonly problem: string | null;
    };

export interface StepEngine {
  readonly name: string;
  /** Phases it can take at once, each to begin when all tasks of the one before are done. */
  readonly lookAhead: number;
  /**
   * Runs the phases in order, and returns when none of their tasks is running or waiting any more, whether or not all are
   * done: if tasks of a phase fail, those after it are not begun. The caller asks the store and tries again.
   */
  run(phases: readonly StepPhase[], report: (event: EngineEvent) => void): Promise<void>;
  /** Ends what is still running. */
  close(): Promise<void>;
}
