/**
 * The state file: how far the work has come. It is replaced only after the changed pages have reached the device. So it
 * never claims more than the page file holds. The page file may hold more than it claims.
 *
 * The difference does no harm, because every code is true of the game. Captures and lookups write the same again when
 * repeated. A value set in round n carries n. So a repeated earlier round ignores it, like a win by a conversion that
 * is not due yet. Under `wdl` values carry no ply, and every resolved position must have its predecessors looked at.
 * A forward pass does that by itself. So forward passes come first again after an interruption of the queue, or of
 * the pass that fills it (see solve-wdl.ts). Nor can a page be torn. In any mixture of an old and a new page, some
 * positions have been resolved and others not yet, as in a page.
 */

import { z } from 'zod';
import { StorageError } from '../../../operators/core/errors.js';
import type { PageFolder } from '../../../operators/storage/page-folder.js';
import { metrics } from '../../game/value.js';

/** Version 1 counted pages in the order of the file. */
const VERSION = 2;
const STATE_FILE = 'state.json';
const count = z.number().int().nonnegative();

export const PagedState = z.object({
  version: z.literal(VERSION),
  game: z.string(),
  slice: z.string(),
  metric: z.enum(metrics),
  bits: z.union([z.literal(2), z.literal(8), z.literal(16)]),
  step: z.enum(['captures', 'winning', 'lookups', 'rounds', 'finish']),
  /** The side whose positions are being gone over, and how many of its pages are done, in the order of scan-order.ts. */
  side: z.union([z.literal(0), z.literal(1)]),
  page: count,
  /** The round; under `wdl` the pass. */
  ply: count,
  /** Under `wdl`: queues are being filled or worked off. */
  queued: z.boolean(),
  counters: z.record(z.string(), z.number()),
});
export type PagedState = z.infer<typeof PagedState>;

export function firstState(
  game: string,
  slice: string,
  metric: PagedState['metric'],
  bits: PagedState['bits'],
): PagedState {
  const start = { step: 'captures', side: 0, page: 0, ply: 0, queued: false, counters: {} } as const;
  return { version: VERSION, game, slice, metric, bits, ...start };
}

/** Null if there is none; a damaged one, or that of another computation, is a StorageError. */
export function readState(
  folder: PageFolder,
  wanted: { game: string; slice: string; metric: string },
): PagedState | null {
  const bytes = folder.get(STATE_FILE);
  if (bytes === null) return null;
  const object = `${folder.uri}/${STATE_FILE}`;
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new StorageError(object, `damaged state: ${(error as Error).message}`);
  }
  const result = PagedState.safeParse(json);
  if (!result.success) {
    const first = result.error.issues[0];
    throw new StorageError(object, `damaged state: ${first.path.join('.')}: ${first.message}`);
  }
  const { game, slice, metric } = result.data;
  if (game !== wanted.game || slice !== wanted.slice || metric !== wanted.metric) {
    throw new StorageError(object, `belongs to ${game} ${slice} under ${metric}`);
  }
  return result.data;
}

export function writeState(folder: PageFolder, state: PagedState): void {
  folder.replace(STATE_FILE, new TextEncoder().encode(`${JSON.stringify(state)}\n`));
}
