/**
 * An engine that has Slurm run the tasks of a phase as an array job; the job of a phase begins when all tasks of the one
 * before ended well, so that several phases are in the queue at once and no task waits for us to notice.
 */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ALLOCATOR } from '../allocator.js';
import { tidyAtExit } from '../exit.js';
import { type ArrayTask, Refusal, slurmCommands } from './slurm-commands.js';
import { lastLine, makeLogFolder, phaseName, type StepProgram, stepCommand } from './step-command.js';
import type { EngineEvent, StepEngine, StepPhase } from './step-engine.js';

export interface SlurmOptions extends StepProgram {
  /** Where the output of each task is kept, in a file of its own, on a disk that all nodes have; null for nowhere. */
  readonly logFolder: string | null;
  /** Further arguments of sbatch, e.g. --partition=long. */
  readonly sbatchArgs?: readonly string[];
  /** Tasks of a phase that may run at once; without it, as many as the cluster has room for. */
  readonly limit?: number;
  /** Seconds that Slurm may leave us without an answer; 3600 by default. */
  readonly patience?: number;
}

/** What is in the queue: all of a phase's tasks, or as many as an array job may have. */
interface Job {
  readonly id: number;
  readonly phase: StepPhase;
  /** Number of the task with index 0 in the array. */
  readonly offset: number;
  /** Those not known to have ended, and how often they were started. */
  readonly starts: Map<number, number>;
  /** When it was first seen that a task will never be run. */
  stuckSince?: number;
}

const LOOK_AHEAD = 8;
/** A task's process beside its buffers. */
const OVERHEAD_MIB = 160;
/** Jobs with more tasks are cut, because a list of them must fit a command line. */
const LONGEST_ARRAY = 10_000;
/** Of Slurm, where no setting says other. */
const DEFAULT_MAX_ARRAY_SIZE = '1001';
const FIRST_POLL_MS = 200;
const LAST_POLL_MS = 1000;

/** States after which nothing comes; requeued tasks are PENDING. */
const FINAL = new Set(
  'BOOT_FAIL CANCELLED COMPLETED DEADLINE FAILED NODE_FAIL OUT_OF_MEMORY PREEMPTED REVOKED TIMEOUT'.split(
    ' ',
  ),
);
/** Reasons why a task waits that no waiting ends: it asks for more than any node has, or could not be started. */
const STUCK = /^(DependencyNeverSatisfied|BadConstraints|PartitionConfig)$|launch.failed/i;
/** Slurm says so also for a moment after a restart, when it has not heard of its nodes yet. */
const STUCK_MS = 10_000;

export function slurmEngine(options: SlurmOptions): StepEngine {
  const slurm = slurmCommands(options.patience ?? 3600);
  const logFolder = options.logFolder === null ? null : resolve(options.logFolder);
  /** All that may still be in the queue. */
  const jobs = new Map<number, Job>();
  /** Jobs submitted by this run. */
  let submitted = 0;
  let closed = false;
  let longest: Promise<number> | undefined;
  const cancelAll = tidyAtExit(() => slurm.cancelAtExit([...jobs.keys()]));

  async function longestArray(): Promise<number> {
    return Math.min(Number((await slurm.setting('MaxArraySize')) ?? DEFAULT_MAX_ARRAY_SIZE), LONGEST_ARRAY);
  }

  /** Submits a phase, to begin when the jobs `after` have ended well. */
  async function submit(phase: StepPhase, after: readonly number[]): Promise<number[]> {
    const ids: number[] = [];
    const size = await (longest ??= longestArray());
    for (const [offset, indices] of cutIntoArrays(phase.tasks, size)) {
      if (closed) break;
      const limit = options.limit === undefined ? '' : `%${options.limit}`;
      const args = [
        `--mem=${Math.ceil(phase.memory / 2 ** 20) + OVERHEAD_MIB}M`,
        `--cpus-per-task=${phase.workers}`,
        `--job-name=${phaseName(phase)}`,
        '--export=ALL',
        ...(options.sbatchArgs ?? []),
        `--array=${ranges(indices)}${limit}`,
        ...(after.length > 0 ? [`--dependency=afterok:${after.join(':')}`] : []),
        '--kill-on-invalid-dep=yes',
        '--requeue',
        '--open-mode=append', // else a restart would wipe out what the first run said
        `--output=${logFolder === null ? '/dev/null' : `${logStem(phase).replaceAll('%', '%%')}%A_%a.log`}`,
      ];
      const env = { ...process.env, ...ALLOCATOR, ...options.env };
      const id = await slurm.submit(args, script(options, phase, offset), env);
      jobs.set(id, { id, phase, offset, starts: new Map(indices.map((index) => [index, 0])) });
      ids.push(id);
      submitted++;
      // Answered too late to be cancelled with the others.
      if (closed) await slurm.cancel([id]);
    }
    return ids;
  }

  async function submitAll(phases: readonly StepPhase[]): Promise<void> {
    let before: number[] = [];
    for (const phase of phases) {
      if (phase.tasks.length === 0) continue;
      try {
        before = await submit(phase, before);
      } catch (error) {
        // More than a user may have in the queue: what is there will do for now.
        if (error instanceof Refusal && submitted > 0) return;
        throw error;
      }
    }
  }

  /** Logs of a phase begin so; job and index follow. */
  function logStem(phase: StepPhase): string {
    return join(logFolder ?? '', `${phaseName(phase)}-`);
  }

  function lastWords(job: Job, index: number): string | null {
    try {
      if (logFolder === null) return null;
      return lastLine(readFileSync(`${logStem(job.phase)}${job.id}_${index}.log`, 'utf8'));
    } catch {
      return null;
    }
  }

  /** Compares what squeue says of our jobs with what it said before. */
  async function poll(report: (event: EngineEvent) => void): Promise<void> {
    const asked = [...jobs.values()];
    const listed = new Map<number, Map<number, ArrayTask>>();
    for (const task of await slurm.list(asked.map(({ id }) => id))) {
      if (!listed.has(task.job)) listed.set(task.job, new Map());
      listed.get(task.job)!.set(task.index, task);
    }
    for (const job of asked) {
      for (const [index, starts] of job.starts) {
        const event = { phase: job.phase, task: job.offset + index };
        const seen = listed.get(job.id)?.get(index);
        // Slurm has forgotten it: it has ended, and the store knows how.
        if (seen === undefined) {
          job.starts.delete(index);
          if (starts > 0) report({ type: 'ended', ...event, problem: null });
          continue;
        }
        const waits = seen.state === 'PENDING' || (starts === 0 && seen.state === 'CANCELLED');
        const now = seen.restarts + (waits ? 0 : 1);
        for (let i = starts; i < now; i++) report({ type: 'started', ...event });
        job.starts.set(index, Math.max(starts, now));
        if (FINAL.has(seen.state)) {
          job.starts.delete(index);
          if (!waits) report({ type: 'ended', ...event, problem: problemOf(seen, lastWords(job, index)) });
        } else if (waits && STUCK.test(seen.reason)) {
          job.stuckSince ??= performance.now();
          if (performance.now() - job.stuckSince < STUCK_MS) continue;
          await slurm.cancel([`${job.id}_${index}`]);
          job.starts.delete(index);
          report({ type: 'ended', ...event, problem: `Slurm cannot run it (${seen.reason})` });
        }
      }
      if (job.starts.size === 0) jobs.delete(job.id);
    }
  }

  return {
    name: 'slurm',
    lookAhead: LOOK_AHEAD,
    async run(phases, report) {
      makeLogFolder(logFolder);
      submitted = 0;
      let submitting = true;
      const submission = submitAll(phases).finally(() => (submitting = false));
      submission.catch(() => {}); // thrown below
      for (let wait = FIRST_POLL_MS; !closed; wait = Math.min(1.5 * wait, LAST_POLL_MS)) {
        // In this order: what is submitted while we poll is polled again.
        const all = !submitting;
        if (jobs.size > 0) await poll(report);
        if (all && jobs.size === 0) break;
        await pause(wait);
      }
      await submission;
    },
    async close() {
      closed = true;
      cancelAll();
      jobs.clear();
    },
  };
}

function problemOf({ state, reason, status }: ArrayTask, words: string | null): string | null {
  if (state === 'COMPLETED') return null;
  if (state === 'FAILED') {
    const signal = Object.entries(constants.signals).find(([, number]) => number === (status & 127));
    if (signal !== undefined) return `killed by ${signal[0]}`;
    if (words !== null) return words;
  }
  return `ended as ${state} (${reason})${words === null ? '' : `: ${words}`}`;
}

/** What a node runs; `exec`, so that signals reach the task itself. */
function script(program: StepProgram, phase: StepPhase, offset: number): string {
  const { before, after } = stepCommand(program, phase);
  const task = `"$((SLURM_ARRAY_TASK_ID + ${offset}))"`;
  return `#!/bin/sh\nexec ${before.map(quote).join(' ')} ${task} ${after.map(quote).join(' ')}\n`;
}

function quote(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}

/** Tasks by arrays of at most `size`: the number of each array's first task, and indices, all less than `size`. */
function cutIntoArrays(tasks: readonly number[], size: number): Map<number, number[]> {
  const arrays = new Map<number, number[]>();
  for (const task of tasks) {
    const offset = task - (task % size);
    if (!arrays.has(offset)) arrays.set(offset, []);
    arrays.get(offset)!.push(task - offset);
  }
  return arrays;
}

/** Ascending numbers as sbatch reads them: 3,7,9-12. */
function ranges(indices: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < indices.length; ) {
    let last = i;
    while (indices[last + 1] === indices[last] + 1) last++;
    parts.push(last === i ? String(indices[i]) : `${indices[i]}-${indices[last]}`);
    i = last + 1;
  }
  return parts.join(',');
}
