/**
 * Tasks that repair the cause of an error. The error names a task and no command, because the pipeline does not depend on the command
 * line, which turns the task into the command to run.
 */
import type { Metric } from './value.js';

export type Remedy =
  | {
      readonly task: 'solve' | 'verify';
      readonly game: string;
      readonly metric: Metric;
      readonly slice: string;
    }
  | { readonly task: 'import graph'; readonly begun: boolean }
  | { readonly task: 'solve graph'; readonly source: string; readonly metric: Metric }
  /** The source of a solve, a module or a file, has changed since. */
  | { readonly task: 'solve again'; readonly game: string }
  | {
      /** `publish with others`: with others of its publication. */
      readonly task: 'publish' | 'publish again' | 'publish with others';
      readonly game: string;
      /** The one under which the publication answers. */
      readonly metric: Metric;
    };

interface Remediable extends Error {
  remedy?: Remedy;
}

/** The error itself, which holds its remedy from now on. */
export function withRemedy<Kind extends Error>(error: Kind, remedy: Remedy): Kind {
  (error as Remediable).remedy = remedy;
  return error;
}

export function remedyOf(error: Error): Remedy | null {
  return (error as Remediable).remedy ?? null;
}
