/** The shape in which manifests keep a sample of a game's rules; pipeline/games/yours/examiner/sample-rules.ts takes it. */
import { z } from 'zod';

export const RulesSample = z.object({
  /** SHA-256 of what the rules return for each sampled position, in hexadecimal. */
  digest: z.string(),
  /** The same of a small part of the sample, which is taken in milliseconds. */
  quick: z.string(),
  /** How many positions were sampled. */
  positions: z.int().nonnegative(),
  /** The sample is all there is: the game has no other positions. */
  whole: z.boolean(),
});
export type RulesSample = z.infer<typeof RulesSample>;
