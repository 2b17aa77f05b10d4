/**
 * Slurm by its commands: sbatch, squeue, scancel, scontrol. A controller that does not answer is asked again, for it may
 * be restarting, or busy with the jobs of others.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { lastLine } from './step-command.js';

/** A task of an array job as the controller has it. */
export interface ArrayTask {
  readonly job: number;
  readonly index: number;
  /** As squeue spells it, e.g. RUNNING. */
  readonly state: string;
  readonly restarts: number;
  /** Why it waits, or how it ended, e.g. NonZeroExitCode. */
  readonly reason: string;
  /** As wait(2) gives it: the exit code times 256, or the number of the signal. */
  readonly status: number;
}

export interface SlurmCommands {
  /**
   * Submits an array job and returns its number. Throws {@link Refusal} if Slurm does not take it, StorageError if it
   * does not answer.
   */
  submit(args: readonly string[], script: string, env: NodeJS.ProcessEnv): Promise<number>;
  /** Tasks of these jobs that the controller still knows of: ended ones are forgotten after some time. */
  list(jobs: readonly number[]): Promise<ArrayTask[]>;
  /** A setting of the cluster, or null if it has no such. To be asked first: throws UserError if there is no cluster. */
  setting(name: string): Promise<string | null>;
  /** Cancels jobs, or tasks as JOB_INDEX, as far as they are there and the controller answers. */
  cancel(jobs: readonly (number | string)[]): Promise<void>;
  /** The same at the end of the process: also a job whose submission was not answered yet. */
  cancelAtExit(jobs: readonly number[]): void;
}

/** Slurm has looked at a job and does not want it: wrong arguments, or a limit on jobs. */
export class Refusal extends UserError {}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What sbatch says when the fault is not the job's. */
const NOT_ANSWERED =
  /contact slurm controller|timed out|zero bytes|connection|not connected|temporarily|communications/i;
/** At the start somebody is waiting to see that it works. */
const FIRST_CONTACT_S = 60;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 20_000;
/** A command that hangs so long has lost its answer. */
const COMMAND_MS = 120_000;
/** Job numbers in one command: a command line has its limits. */
const AT_ONCE = 1000;
const FIELDS = ['ArrayJobID', 'ArrayTaskID', 'State', 'RestartCnt', 'Reason', 'exit_code'];
const FORMAT = FIELDS.map((field) => `${field}:40|`).join(',');

/** @param patience Seconds after which a controller that does not answer is given up. */
export function slurmCommands(patience: number): SlurmCommands {
  /** The mark of the submission that is on its way. */
  let unanswered: string | null = null;

  /** Asks again and again for so many seconds; `attempt` gives null for "no answer" and then has said why. */
  async function persist<T>(
    attempt: (complain: (why: string) => void) => Promise<T | null>,
    patient = patience,
  ): Promise<T> {
    const since = performance.now();
    let why = '';
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      const result = await attempt((line) => (why = line));
      if (result !== null) return result;
      const seconds = (performance.now() - since) / 1000;
      if (seconds > patient) {
        throw new StorageError('Slurm', `no answer for ${Math.round(seconds)} seconds: ${why}`);
      }
      await pause(wait);
    }
  }

  return {
    async submit(args, script, env) {
      const mark = `mergemate ${randomUUID()}`;
      const job = await persist(async (complain) => {
        if (unanswered === mark) {
          // A submission that timed out may have arrived.
          const { code, stdout } = await execute('squeue', MARKED);
          if (code !== 0) return null;
          const [there] = jobsMarked(stdout, mark);
          if (there !== undefined) return there;
        }
        unanswered = mark;
        const all = ['--parsable', `--comment=${mark}`, ...args];
        const { code, stdout, stderr } = await execute('sbatch', all, script, env);
        const submitted = Number.parseInt(stdout, 10);
        if (code === 0 && submitted > 0) return submitted;
        const why = lastLine(stderr) ?? `sbatch ended with code ${code}`;
        if (code !== null && !NOT_ANSWERED.test(stderr)) {
          unanswered = null;
          throw new Refusal(why.replace('error: Batch job submission failed: ', ''));
        }
        complain(why);
        return null;
      });
      unanswered = null;
      return job;
    },

    async list(jobs) {
      const lines: string[] = [];
      for (const some of portions(jobs)) {
        const args = ['-h', '-r', '-t', 'all', '-O', FORMAT, '-j', some.join(',')];
        const text = await persist(async (complain) => {
          const { code, stdout, stderr } = await execute('squeue', args);
          if (code === 0) return stdout;
          // So it answers if asked for a single job that it has forgotten.
          if (/invalid job id/i.test(stderr)) return '';
          complain(lastLine(stderr) ?? `squeue ended with code ${code}`);
          return null;
        });
        lines.push(...text.split('\n').filter((line) => line !== ''));
      }
      return lines.map((line) => {
        const [job, index, state, restarts, reason, status] = line.split('|').map((field) => field.trim());
        return {
          job: Number(job),
          index: Number(index),
          state,
          restarts: Number(restarts),
          reason,
          status: Number(status),
        };
      });
    },

    async setting(name) {
      const config = await persist(
        async (complain) => {
          const { code, stdout, stderr } = await execute('scontrol', ['show', 'config']);
          if (code === 0) return stdout;
          const why = lastLine(stderr) ?? `scontrol ended with code ${code}`;
          if (code !== null && !NOT_ANSWERED.test(stderr)) throw new UserError(why);
          complain(why);
          return null;
        },
        Math.min(patience, FIRST_CONTACT_S),
      );
      const line = config.split('\n').find((text) => text.split('=')[0].trim() === name);
      return line?.split('=')[1].trim() ?? null;
    },

    async cancel(jobs) {
      for (const some of portions(jobs)) await execute('scancel', ['--quiet', ...some.map(String)]);
    },

    cancelAtExit(jobs) {
      const options = { encoding: 'utf8', timeout: 10_000 } as const;
      const late =
        unanswered === null ? [] : jobsMarked(spawnSync('squeue', MARKED, options).stdout, unanswered);
      for (const some of portions([...jobs, ...late])) {
        spawnSync('scancel', ['--quiet', ...some.map(String)], options);
      }
    },
  };
}

/** Lists our user's jobs with their comments, ended ones too. */
const MARKED = ['-h', '-t', 'all', `--user=${process.getuid?.()}`, '-o', '%F|%k'];

function jobsMarked(listed: string | null, mark: string): number[] {
  const lines = (listed ?? '').split('\n').filter((line) => line.endsWith(`|${mark}`));
  return lines.map((line) => Number.parseInt(line, 10));
}

function portions<T>(jobs: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(jobs.length / AT_ONCE) }, (_, i) =>
    jobs.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );
}

/** Runs a command to its end; code null if it was killed. Throws UserError if there is no such command. */
function execute(
  program: string,
  args: readonly string[],
  input = '',
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, timeout: COMMAND_MS, killSignal: 'SIGKILL' });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin.on('error', () => {}); // it may end before it reads
    child.stdin.end(input);
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new UserError(`there is no ${program} here: engine slurm needs the commands of Slurm`)
          : new StorageError(program, error.message),
      ),
    );
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
