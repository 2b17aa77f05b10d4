/** Feeds readers with inputs near those of a committed corpus: each is read, or refused in a line, soon. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { HttpProblem } from '../../jobs/server/problems.js';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { changed, changes } from './mutate.js';

export interface FuzzTarget {
  readonly name: string;
  /** Seeds beside the files in the folder of its name in the corpus. */
  readonly seeds?: readonly Uint8Array[];
  /** Reads an input; throws only errors that are the input's fault. */
  read(input: Uint8Array): Promise<void> | void;
  close?(): Promise<void>;
}

const CORPUS = join('test', 'fuzz', 'corpus');
/** An input that takes more of the processor's time hangs; the clock's time depends on other work. */
const SLOW_MS = 5000;

export function corpusOf({ name, seeds = [] }: FuzzTarget): Uint8Array[] {
  const folder = join(CORPUS, name);
  let files: string[] = [];
  try {
    files = readdirSync(folder).sort();
  } catch {
    // All seeds are made.
  }
  return [...files.map((file) => readFileSync(join(folder, file))), ...seeds];
}

/** Fault in the reading of an input; null: none. */
async function faultOf(target: FuzzTarget, input: Uint8Array): Promise<string | null> {
  const began = process.cpuUsage();
  try {
    await target.read(input);
  } catch (error) {
    const isInputs =
      error instanceof UserError || error instanceof StorageError || error instanceof HttpProblem;
    if (!isInputs) return `internal error: ${error instanceof Error ? error.stack : String(error)}`;
    if (/\n/.test(error.message.trim())) return `more than a line: ${error.message}`;
  }
  const { user, system } = process.cpuUsage(began);
  const ms = (user + system) / 1000;
  return ms > SLOW_MS ? `took ${Math.round(ms)} ms` : null;
}

/** Reads the corpus and `runs` inputs near it. Throws fast-check's error, with seed and the smallest input that was found. */
export async function fuzz(target: FuzzTarget, runs: number, seed: number): Promise<void> {
  const corpus = corpusOf(target);
  if (corpus.length === 0) throw new Error(`there is no corpus of ${target.name}`);
  for (const input of corpus) await requireSound(target, input);
  const index = fc.nat(corpus.length - 1);
  await fc.assert(
    fc.asyncProperty(index, index, changes, (one, other, list) =>
      requireSound(target, changed(corpus[one], corpus[other], list)),
    ),
    { numRuns: runs, seed, endOnFailure: true },
  );
}

async function requireSound(target: FuzzTarget, input: Uint8Array): Promise<void> {
  const fault = await faultOf(target, input);
  if (fault === null) return;
  const text = Buffer.from(input).toString('base64');
  throw new Error(`${target.name}: ${fault}\ninput (base64): ${text.slice(0, 4000)}`);
}
