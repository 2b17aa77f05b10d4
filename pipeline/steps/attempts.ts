/**
 * Notes of attempts at tasks: who began one, and why it failed. For people who watch; nothing that is done depends on
 * them, and they are cleared away with the manifests.
 */
import { z } from 'zod';
import { FORMAT_VERSION, readManifest } from '../manifest.js';
import { type Phase, phaseFolder, type SliceAt, type SliceWork } from './names.js';

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

/** Whether this last part of a name in the folder of a phase is that of a note. */
export function isNote(name: string): boolean {
  return /^(began|failed)-\d+-[\w-]+\.json$/.test(name);
}

export async function noteAttempt(
  work: SliceWork,
  phase: Phase,
  note: Omit<AttemptNote, 'version'>,
): Promise<void> {
  const full: AttemptNote = { version: FORMAT_VERSION, ...note };
  const bytes = new TextEncoder().encode(`${JSON.stringify(full)}\n`);
  await work.store.putIfAbsent(noteName(work, phase, full), bytes);
}

/** The notes of a phase, oldest first. */
export async function readNotes(work: SliceWork, phase: Phase): Promise<AttemptNote[]> {
  const folder = `${phaseFolder(work, phase)}/`;
  const names = (await work.store.list(folder)).filter((name) => isNote(name.slice(folder.length)));
  const notes = await Promise.all(names.map((name) => readManifest(work.store, name, AttemptNote)));
  return notes.filter((note) => note !== null).sort((a, b) => a.at - b.at);
}
