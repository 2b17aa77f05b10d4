import type { Budget } from '../../../operators/core/budget.js';
import { UserError } from '../../../operators/core/errors.js';
import { PAGE_BYTES } from '../../../operators/storage/page-folder.js';
import type { AddressSpace } from './address-space.js';
import type { Codec } from './codes.js';
import { LEAST_BUFFERS, MOST_BUFFERS } from './page-buffers.js';
import { QUEUE_BYTES } from './position-queue.js';
import { ORDER_BYTES } from './scan-order.js';
import { BATCH_BYTES } from './work.js';

/** Lists and tables of a buffer, besides its page: see PageBuffers. */
const BUFFER_BYTES = PAGE_BYTES + 13;
/** Tables by code: kinds, plies, ranks, bounds and the rules of a round. */
const CODE_BYTES = 15;
/** A decoded page on its way to the finished table, at most. */
const COLUMN_BYTES = 4 * PAGE_BYTES;

/**
 * The buffers that are left of a budget after everything else. Batches, queues, code tables, the page table (four
 * bytes a page) and orders of pages come first. So does the record batch of the table being written. Never more than
 * there are pages.
 * @throws UserError if they are too few to work with.
 */
export function buffersIn(budget: Budget, space: AddressSpace, codec: Codec): number {
  const others =
    BATCH_BYTES +
    QUEUE_BYTES +
    COLUMN_BYTES +
    2 * budget.batchRows +
    CODE_BYTES * codec.codes +
    (4 + ORDER_BYTES) * space.pages;
  const buffers = Math.floor((budget.memory - others) / BUFFER_BYTES);
  if (buffers < LEAST_BUFFERS) {
    const least = others + LEAST_BUFFERS * BUFFER_BYTES;
    throw new UserError(
      `the paged solver needs ${least} bytes of memory for this slice, and was given ${budget.memory}`,
    );
  }
  return Math.min(buffers, MOST_BUFFERS, Math.max(LEAST_BUFFERS, space.pages));
}
