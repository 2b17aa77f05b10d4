/**
 * Slurm by its commands: sbatch, squeue, scancel, scontrol. A controller that does not answer is asked again, for it may
 * be restarting, or busy with the jobs of others.
 */
import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { lastLine } from './launcher.js';

/** A job as the controller has it. */
export interface SlurmJob {
  readonly id: number;
  /** State as squeue spells it, e.g. RUNNING. */
  readonly state: string;
  /** Why it waits, or how it ended, e.g. NonZeroExitCode. */
  readonly reason: string;
}

export interface SlurmCommands {
  /**
   * The job of this mark that waits or runs, or null. To be asked first: throws UserError if there is no cluster, StorageError if
   * it does not answer.
   */
  find(mark: string): Promise<number | null>;
  /**
   * Submits a job and returns its number. Throws UserError if Slurm does not take it, StorageError if it does not answer.
   * @param mark a name that no other job has.
   */
  submit(mark: string, args: readonly string[], script: string, env: NodeJS.ProcessEnv): Promise<number>;
  /** Null if the controller has forgotten the job, as it does some time after its end. */
  look(job: number): Promise<SlurmJob | null>;
  /** Cancels a job, as far as it is there and the controller answers. */
  cancel(job: number): Promise<void>;
  /** Cancels a job at the end of the process, even one whose submission was not answered yet. */
  cancelAtExit(mark: string, job: number | null): void;
}

interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Words by which sbatch says that the fault is not the job's. */
const NOT_ANSWERED =
  /contact slurm controller|timed out|zero bytes|connection|not connected|temporarily|communications/i;
/** At the start somebody is waiting to see that it works. */
const FIRST_CONTACT_S = 60;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 20_000;
/** A command that hangs so long has lost its answer. */
const COMMAND_MS = 120_000;
const FIELDS = ['JobID', 'State', 'Reason'];
const FORMAT = FIELDS.map((field) => `${field}:40|`).join(',');

/** @param patience Seconds after which a controller that does not answer is given up. */
export function slurmCommands(patience: number): SlurmCommands {
  /** Whether a submission is on its way. */
  let isUnanswered = false;

  /** Repeats `attempt` while it gives null for "no answer". Throws StorageError after `patient` seconds, with its complaint. */
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
    find: (mark) =>
      persist(
        async (complain) => {
          const { code, stdout, stderr } = await execute('squeue', MARKED);
          if (code === 0) return { job: jobsMarked(stdout, mark)[0] ?? null };
          const why = lastLine(stderr) ?? `squeue ended with code ${code}`;
          if (code !== null && !NOT_ANSWERED.test(stderr)) throw new UserError(why);
          complain(why);
          return null;
        },
        Math.min(patience, FIRST_CONTACT_S),
      ).then(({ job }) => job),

    async submit(mark, args, script, env) {
      isUnanswered = false;
      const job = await persist(async (complain) => {
        if (isUnanswered) {
          // A submission that timed out may have arrived.
          const { code, stdout } = await execute('squeue', MARKED);
          if (code !== 0) return null;
          const [there] = jobsMarked(stdout, mark);
          if (there !== undefined) return there;
        }
        isUnanswered = true;
        const all = ['--parsable', `--comment=${mark}`, ...args];
        const { code, stdout, stderr } = await execute('sbatch', all, script, env);
        const submitted = Number.parseInt(stdout, 10);
        if (code === 0 && submitted > 0) return submitted;
        const why = lastLine(stderr) ?? `sbatch ended with code ${code}`;
        if (code !== null && !NOT_ANSWERED.test(stderr)) {
          isUnanswered = false;
          throw new UserError(why.replace('error: Batch job submission failed: ', ''));
        }
        complain(why);
        return null;
      });
      isUnanswered = false;
      return job;
    },

    async look(job) {
      const text = await persist(async (complain) => {
        const { code, stdout, stderr } = await execute('squeue', LOOK(job));
        if (code === 0) return stdout;
        // squeue answers so if it has forgotten the job.
        if (/invalid job id/i.test(stderr)) return '';
        complain(lastLine(stderr) ?? `squeue ended with code ${code}`);
        return null;
      });
      const [line] = text.split('\n').filter((each) => each !== '');
      if (line === undefined) return null;
      const [id, state, reason] = line.split('|').map((field) => field.trim()) as [string, string, string];
      return { id: Number(id), state, reason };
    },

    async cancel(job) {
      await execute('scancel', ['--quiet', String(job)]);
    },

    cancelAtExit(mark, job) {
      const options = { encoding: 'utf8', timeout: 10_000 } as const;
      const late = isUnanswered ? jobsMarked(spawnSync('squeue', MARKED, options).stdout, mark) : [];
      const all = job === null ? late : [job, ...late];
      if (all.length > 0) spawnSync('scancel', ['--quiet', ...all.map(String)], options);
    },
  };
}

/** Lists our user's jobs with their comments: those that wait or run. */
const MARKED = ['-h', `--user=${process.getuid?.()}`, '-o', '%i|%k'];
const LOOK = (job: number) => ['-h', '-t', 'all', '-O', FORMAT, '-j', String(job)];

function jobsMarked(listed: string | null, mark: string): number[] {
  const lines = (listed ?? '').split('\n').filter((line) => line.endsWith(`|${mark}`));
  return lines.map((line) => Number.parseInt(line, 10));
}

/** Runs a command to its end; code null if it was killed. Throws UserError if there is no such command. */
function execute(
  program: string,
  args: readonly string[],
  input = '',
  env: NodeJS.ProcessEnv = process.env,
): Promise<CommandResult> {
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
