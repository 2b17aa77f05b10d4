/** Jobs in files. Apart from job.ts, because the module that checks them takes long to load. */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../operators/core/errors.js';
import { Bounds } from './bounds.js';
import { engineNames } from './engines/engine-names.js';
import { type Job, makeJob, type Settings } from './job.js';
import { readJson } from './json-file.js';
import { SETTINGS, type SettingName } from './settings.js';
import { isGameModule } from './user-game.js';

const within = ({ least, most }: { least: number; most: number }) => z.int().min(least).max(most).optional();

const size = () =>
  z.union([z.string(), z.int().nonnegative()], { error: 'expected a size such as "64MiB"' }).optional();

/** The values of a setting in a file. */
function valueOfSetting({ value }: (typeof SETTINGS)[SettingName]) {
  if (value === 'text') return z.string().optional();
  if (value === 'size' || value === 'memory') return size();
  return 'least' in value ? within(value) : z.enum(value as [string, ...string[]]).optional();
}

const JobFile = z.strictObject({
  game: z.string(),
  endings: z.array(z.string()).min(1).optional(),
  pieces: within(Bounds.pieces),
  workers: within(Bounds.workers),
  verify: z.boolean().optional(),
  engine: z.enum(engineNames).optional(),
  ...Object.fromEntries(Object.entries(SETTINGS).map(([name, each]) => [name, valueOfSetting(each)])),
});
/** Throws UserError that names the file and the key, StorageError if the file cannot be read. */
export async function readJobFile(path: string, flags: Settings): Promise<Job> {
  const parsed = JobFile.safeParse(await readJson(path));
  if (!parsed.success) throw new UserError(`job file ${path}: ${describeIssue(parsed.error.issues[0])}`);
  const {
    game,
    endings = [],
    ...settings
  } = parsed.data as Settings & {
    readonly game: string;
    readonly endings?: string[];
  };
  try {
    // A module is where the job file says it is.
    const found = isGameModule(game) ? resolve(dirname(path), game) : game;
    return await makeJob(found, endings, { ...settings, ...flags });
  } catch (error) {
    throw error instanceof UserError ? new UserError(`job file ${path}: ${error.message}`) : error;
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    return `unknown key ${unknown} (known: ${Object.keys(JobFile.shape).join(', ')})`;
  }
  const where = issue.path.map((step, i) =>
    typeof step === 'number' ? `[${step}]` : (i > 0 ? '.' : '') + String(step),
  );
  if (issue.path.length === 0)
    return `expected an object with "game" and "endings" or "pieces": ${issue.message}`;
  return `${where.join('')}: ${issue.message}`;
}
