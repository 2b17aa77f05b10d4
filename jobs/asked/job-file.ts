/** What job files say. Apart from job.ts, because the module that checks them takes long to load. */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../operators/core/errors.js';
import { readJson } from '../cli/json-file.js';
import { parseMemory, parseSize } from '../cli/quantities.js';
import { SETTINGS, type SettingName, type Settings, settings } from '../cli/settings.js';
import { shortened } from '../ui/escaped.js';
import { isGameModule } from '../user-game.js';

/** Values of a kind; `what` names it in the sentence about any other value. */
function expected(type: z.ZodType, what: string): z.ZodType {
  // Of a union, or of bounds, zod would name only what failed last.
  return z.custom((value) => type.safeParse(value).success, {
    error: ({ input }) => (input === undefined ? 'is missing' : `must be ${what}, not ${shown(input)}`),
  });
}

/** The values of a setting in a file: sizes in bytes, or as people write them. */
function valueOfSetting({ value }: (typeof settings)[number][1]): z.ZodType {
  if (value === 'text') return expected(z.string(), 'text');
  if (value === 'on' || value === 'off') return expected(z.boolean(), 'true or false');
  if (value === 'size' || value === 'memory')
    return expected(
      z.union([z.string(), z.int().nonnegative()]),
      'a size such as "64MiB", or a number of bytes',
    );
  if ('least' in value)
    return expected(
      z.int().min(value.least).max(value.most),
      `a whole number from ${value.least} to ${value.most}`,
    );
  return expected(z.enum(value as [string, ...string[]]), `one of ${value.map(shown).join(', ')}`);
}

const JobFile = z.strictObject({
  game: expected(z.string(), 'the name of a game, or the path of its module'),
  endings: expected(z.array(z.unknown()).min(1), 'a list of endings, such as ["KQKR"]')
    .pipe(z.array(expected(z.string(), 'the name of an ending, such as "KQKR"')))
    .optional(),
  ...Object.fromEntries(settings.map(([name, each]) => [name, valueOfSetting(each).optional()])),
});

/** The shape of {@link JobFile}. */
type Filed = { readonly game: string; readonly endings?: readonly string[] } & Readonly<
  Record<string, unknown>
>;

interface FiledJob {
  /** Its name, or the absolute path of its module. */
  readonly game: string;
  readonly endings: readonly string[];
  readonly settings: Settings;
}

/** Throws UserError that names the file and the key, StorageError if the file cannot be read. */
export async function readJobFile(path: string): Promise<FiledJob> {
  const value = await readJson(path);
  const parsed = JobFile.safeParse(value);
  if (!parsed.success)
    throw new UserError(`job file ${path}: ${describeIssue(parsed.error.issues[0], value)}`);
  const { game, endings = [], ...given } = parsed.data as Filed;
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

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    return `unknown key ${unknown} (known: ${Object.keys(JobFile.shape).join(', ')})`;
  }
  const where = issue.path.map((step, i) =>
    typeof step === 'number' ? `[${step}]` : (i > 0 ? '.' : '') + String(step),
  );
  if (issue.path.length === 0)
    return `expected an object with "game" and "endings" or "pieces", not ${shown(value)}`;
  return `${where.join('')}: ${issue.message}`;
}

/** A value of a JSON file, in as much text as a line has room for. */
function shown(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return 'a list';
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return 'an object';
  return shortened(JSON.stringify(value));
}
