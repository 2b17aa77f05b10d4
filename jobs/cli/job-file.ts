/** What job files say. Apart from job.ts, because the module that checks them takes long to load. */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../operators/core/errors.js';
import { isGameModule } from '../user-game.js';
import { readJson } from './json-file.js';
import { parseMemory, parseSize } from './quantities.js';
import { SETTINGS, type SettingName, type Settings, settings } from './settings.js';

/** The values of a setting in a file: sizes in bytes, or as people write them. */
function valueOfSetting({ value }: (typeof settings)[number][1]): z.ZodType {
  if (value === 'text') return z.string();
  if (value === 'on' || value === 'off') return z.boolean();
  if (value === 'size' || value === 'memory')
    return z.union([z.string(), z.int().nonnegative()], { error: 'expected a size such as "64MiB"' });
  return 'least' in value ? z.int().min(value.least).max(value.most) : z.enum(value as [string, ...string[]]);
}

const JobFile = z.strictObject({
  game: z.string(),
  endings: z.array(z.string()).min(1).optional(),
  ...Object.fromEntries(settings.map(([name, each]) => [name, valueOfSetting(each).optional()])),
});

interface FiledJob {
  /** Its name, or the absolute path of its module. */
  readonly game: string;
  readonly endings: readonly string[];
  readonly settings: Settings;
}

/** Throws UserError that names the file and the key, StorageError if the file cannot be read. */
export async function readJobFile(path: string): Promise<FiledJob> {
  const parsed = JobFile.safeParse(await readJson(path));
  if (!parsed.success) throw new UserError(`job file ${path}: ${describeIssue(parsed.error.issues[0])}`);
  const { game, endings = [], ...given } = parsed.data;
  // The path of a module is relative to the job file.
  const found = isGameModule(game) ? resolve(dirname(path), game) : game;
  return { game: found, endings, settings: inBytes(given, path) };
}

function inBytes(given: Readonly<Record<string, unknown>>, path: string): Settings {
  const read = Object.entries(given).map(([name, value]) => {
    const kind = SETTINGS[name as SettingName].value;
    const what = `job file ${path}: ${name}`;
    if (kind === 'memory') return [name, parseMemory(value as string, what)];
    return [name, kind === 'size' ? parseSize(value as string, what) : value];
  });
  return Object.fromEntries(read) as Settings;
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
