/**
 * Ranks as the tasks of one job of Slurm, started by srun. A job outlives the process that submitted it: a process with the
 * same request finds it in the queue. When a node is lost, Slurm runs the job again, and the ranks continue from the store.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UserError } from '../../operators/core/errors.js';
import { ALLOCATOR } from '../allocator.js';
import { tidyAtExit } from '../exit.js';
import { type Launcher, type LaunchOptions, lastLine, makeLogFolder, newPatience } from './launcher.js';
import { type SlurmJob, slurmCommands } from './slurm-commands.js';
import { srunCommand } from './slurm-script.js';

export interface SlurmOptions extends LaunchOptions {
  /** Further arguments of sbatch, e.g. --partition=long. */
  readonly sbatchArgs: readonly string[];
  /** Seconds that Slurm may leave us without an answer; 3600 by default. */
  readonly patience?: number;
}

const MIB = 2 ** 20;
const FIRST_POLL_MS = 200;
const LAST_POLL_MS = 1000;
/** States after which nothing comes; a job that is run again is PENDING. */
const FINAL = new Set(
  'BOOT_FAIL CANCELLED COMPLETED DEADLINE FAILED NODE_FAIL OUT_OF_MEMORY PREEMPTED REVOKED TIMEOUT'.split(
    ' ',
  ),
);
/** Reasons why a job waits that no waiting ends: it asks for more than any node has, or could not be started. */
const STUCK = /^(DependencyNeverSatisfied|BadConstraints|PartitionConfig)$|launch.failed/i;
/** Slurm says so also for a moment after a restart, when it has not heard of its nodes yet. */
const STUCK_MS = 10_000;

export function slurmLauncher(options: SlurmOptions): Launcher {
  const slurm = slurmCommands(options.patience ?? 3600);
  const logFolder = options.logFolder === null ? null : resolve(options.logFolder);
  const patience = newPatience(options);
  const mark = `mergemate ${options.job}`;
  let current: number | null = null;
  let closed = false;
  const cancelAll = tidyAtExit(() => slurm.cancelAtExit(mark, current));

  /** How the job ended, in words; null if that is no longer known. */
  async function ended(id: number): Promise<string | null> {
    let stuckSince: number | null = null;
    for (let wait = FIRST_POLL_MS; !closed; wait = Math.min(1.5 * wait, LAST_POLL_MS)) {
      const job = await slurm.look(id);
      if (job === null) return null;
      if (FINAL.has(job.state)) return inWords(job);
      if (job.state !== 'PENDING' || !STUCK.test(job.reason)) stuckSince = null;
      else if (performance.now() - (stuckSince ??= performance.now()) >= STUCK_MS)
        throw new UserError(`Slurm cannot run it (${job.reason})`);
      await pause(wait);
    }
    return null;
  }

  function inWords({ id, state, reason }: SlurmJob): string {
    const words = logFolder === null ? null : lastWords(logFolder, id);
    return `job ${id} ended as ${state} (${reason})${words === null ? '' : `: ${words}`}`;
  }

  return {
    async run() {
      makeLogFolder(logFolder);
      while (!closed) {
        current = await slurm.find(mark);
        if (current === null && (await options.isDone())) return;
        current ??= await slurm.submit(mark, arguments_(options, logFolder), script(options, logFolder), {
          ...process.env,
          ...ALLOCATOR,
        });
        // Answered too late to be cancelled with the others.
        if (closed) return slurm.cancel(current);
        const how = await ended(current);
        current = null;
        if (closed) return;
        const problem = await options.problem().catch(() => null);
        if (problem !== null) throw problem;
        if (await options.isDone().catch(() => false)) return;
        await patience('Slurm', how ?? 'its job is gone');
      }
    },
    async close() {
      closed = true;
      cancelAll();
    },
  };
}

/** A process beside its buffers. */
const OVERHEAD_MIB = 160;

function arguments_({ ranks, memory, job, sbatchArgs }: SlurmOptions, logFolder: string | null): string[] {
  return [
    `--ntasks=${ranks}`,
    '--cpus-per-task=1',
    `--mem-per-cpu=${Math.ceil(memory / MIB) + OVERHEAD_MIB}M`,
    `--job-name=mergemate-${job}`,
    '--export=ALL',
    ...sbatchArgs,
    '--requeue',
    '--open-mode=append', // else a restart would wipe out the first run's log
    `--output=${logFolder === null ? '/dev/null' : `${logFolder.replaceAll('%', '%%')}/slurm-%j.log`}`,
  ];
}

/** The last line in the logs of a job, of any rank. */
function lastWords(logFolder: string, id: number): string | null {
  try {
    const logs = readdirSync(logFolder).filter((name) => name.startsWith(`slurm-${id}`));
    const said = logs.map((name) => lastLine(readFileSync(join(logFolder, name), 'utf8')));
    return said.findLast((line) => line !== null) ?? null;
  } catch {
    return null;
  }
}

function script({ command }: LaunchOptions, logFolder: string | null): string {
  const output =
    logFolder === null
      ? []
      : ['--open-mode=append', `--output=${logFolder.replaceAll('%', '%%')}/slurm-%j-rank-%t.log`];
  return `#!/bin/sh\n${srunCommand(command, output)}\n`;
}
