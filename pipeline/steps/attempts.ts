/**
 * Notes of attempts at tasks: who began one, and why it failed. For people who watch; nothing that is done depends on
 * them, and they are cleared away with the manifests.
 */
import { z } from 'zod';
import { FORMAT_VERSION } from '../manifest.js';
import { putRecord } from '../record.js';
import { type Phase, phaseFolder, phaseOf, type SliceAt, type SliceWork } from './names.js';

export const AttemptNote = z.object({
  version: z.literal(FORMAT_VERSION),
  /** `began`: then; `failed`: with this to say. */
  what: z.enum(['began', 'failed']),
  task: z.number().int().nonnegative(),
  attempt: z.string(),
  host: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  problem: z.string().nullable(),
});
export type AttemptNote = z.infer<typeof AttemptNote>;

function noteName(work: SliceAt, phase: Phase, note: AttemptNote): string {
  return `${phaseFolder(work, phase)}/${note.what}-${note.task}-${note.attempt}.json`;
}

/** Takes the last part of a name in the folder of a phase apart; null if it is not that of a note. */
export function noteOf(name: string): Pick<AttemptNote, 'what' | 'task' | 'attempt'> | null {
  const match = /^(began|failed)-(\d+)-([\w-]+)\.json$/.exec(name);
  if (match === null) return null;
  return { what: match[1] as AttemptNote['what'], task: Number(match[2]), attempt: match[3]! };
}

export async function noteAttempt(
  work: SliceWork,
  phase: Phase,
  note: Omit<AttemptNote, 'version'>,
): Promise<void> {
  const full: AttemptNote = { version: FORMAT_VERSION, ...note };
  await putRecord(work.store, noteName(work, phase, full), full);
}

/** `name`: in the folder of the steps. */
export type NamedNote = NonNullable<ReturnType<typeof noteOf>> & { readonly name: string };

/** The notes among the names in the folder of the steps. */
export function stepNotes(names: readonly string[]): NamedNote[] {
  return names.flatMap((name) => {
    const [phase, file, ...more] = name.split('/');
    const note = file === undefined || more.length > 0 || phaseOf(phase!) === null ? null : noteOf(file);
    return note === null ? [] : [{ ...note, name }];
  });
}

/** Attempts beyond the first at a task. */
export function retriesAmong(notes: readonly NamedNote[]): number {
  const began = notes.filter(({ what }) => what === 'began');
  return began.length - new Set(began.map(({ name, task }) => `${name.split('/')[0]} ${task}`)).size;
}
