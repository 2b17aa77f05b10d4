/** Identity of a process among the ranks that solve together: by its flags, or by the environment that its launcher gives it. */
import { UserError } from '../../operators/core/errors.js';

export interface RankIdentity {
  /** From 0 on. */
  readonly rank: number;
  readonly ranks: number;
  /** Name of the job, the same for all ranks, and when a rank is started again: letters, digits, dashes and underscores. */
  readonly job: string;
}

/** Flags of the command line that identify a rank. */
export interface RankFlags {
  readonly rank?: number;
  readonly ranks?: number;
  readonly job?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables by which a launcher identifies a process; the first launcher whose `rank` is set counts. */
interface LauncherVariables {
  readonly rank: string;
  readonly ranks?: string;
  readonly job?: (environment: Environment) => string | undefined;
}

/** Open MPI may run inside a job of Slurm: its variables are then those of the process itself. */
const LAUNCHERS: readonly LauncherVariables[] = [
  {
    rank: 'OMPI_COMM_WORLD_RANK',
    ranks: 'OMPI_COMM_WORLD_SIZE',
    job: (environment) => environment.PMIX_NAMESPACE ?? environment.OMPI_MCA_ess_base_jobid,
  },
  {
    rank: 'SLURM_PROCID',
    ranks: 'SLURM_NTASKS',
    job: ({ SLURM_JOB_ID: id }) => (id === undefined ? undefined : `slurm-${id}`),
  },
  { rank: 'JOB_COMPLETION_INDEX' },
  {
    rank: 'AWS_BATCH_JOB_ARRAY_INDEX',
    ranks: 'AWS_BATCH_JOB_ARRAY_SIZE',
    // The id of a child is that of the array job, a colon, and its index.
    job: ({ AWS_BATCH_JOB_ID: id }) => id?.replace(/:\d+$/, ''),
  },
];

/**
 * Reads the rank from flags, else from the environment.
 * @throws UserError that names the missing flag, or the variable that is not a number.
 */
export function rankIdentity(flags: RankFlags, environment: Environment): RankIdentity {
  const launcher = LAUNCHERS.find(({ rank }) => environment[rank] !== undefined);
  const number = (name: string | undefined): number | undefined => {
    const text = name === undefined ? undefined : environment[name];
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text)) throw new UserError(`${name}: ${JSON.stringify(text)} is not a whole number`);
    return Number(text);
  };
  const rank = flags.rank ?? number(launcher?.rank);
  const ranks = flags.ranks ?? number(launcher?.ranks);
  const job = flags.job ?? launcher?.job?.(environment);
  const missing = Object.entries({ '--rank': rank, '--ranks': ranks, '--job': job })
    .filter(([, value]) => value === undefined)
    .map(([flag]) => flag);
  if (rank === undefined || ranks === undefined || job === undefined)
    throw new UserError(
      `the rank is unknown: give ${missing.join(', ')}, or start it by srun, mpirun, a Kubernetes Indexed Job or an array job of AWS Batch`,
    );
  if (rank >= ranks) throw new UserError(`--rank: there is no rank ${rank} of ${ranks}: ranks begin with 0`);
  return { rank, ranks, job: nameOfJob(job, ranks) };
}

/** The longest name in the store: file systems take names of 255 bytes. */
const LONGEST_NAME = 200;

/**
 * Name of a job in the store, a different one for each job: bytes other than letters, digits and dashes are written as an underscore and two
 * hexadecimal digits. It has the number of ranks, so that claims of a job with another number do not count. Throws UserError.
 */
export function nameOfJob(job: string, ranks: number): string {
  if (job === '') throw new UserError('--job must not be empty');
  const plain = [...Buffer.from(job)]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      return /[a-z0-9-]/i.test(sign) ? sign : `_${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
  if (plain.length > LONGEST_NAME)
    throw new UserError(
      `--job must be shorter: its name in the store would have ${plain.length} characters, at most ${LONGEST_NAME}`,
    );
  return `${plain}-${ranks}`;
}
