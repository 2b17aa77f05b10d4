/**
 * How a slice is solved or verified. The mode is chosen once, where the crew of the slice is opened (engine/crew/mode.ts); it is a field of
 * its partitions from then on, and of the slice's record.
 *
 * - `memory`: one partition has all parts, and everything that it works on lies in its memory. Solving is one step.
 * - `streaming`: labels and requests go through pages of a fixed budget, spills and runs, part by part, by any number of partitions.
 */
import { z } from 'zod';

/** The mode, and the reason for it as text for display. */
export const ChosenMode = z.object({ mode: z.enum(['memory', 'streaming']), why: z.string() });
export type ChosenMode = Readonly<z.infer<typeof ChosenMode>>;
export type Mode = ChosenMode['mode'];

/** The mode of all ranks that solve a slice together. */
export const SHARED_BY_RANKS: ChosenMode = { mode: 'streaming', why: 'ranks share it' };
