/** The page table: the page that makes room, and the times and counts of writes. */
import { expect, test } from 'vitest';
import { PAGE_BYTES, type PageFile } from '../../../../operators/storage/page-folder.js';
import { newPagedCounters, pageTraffic } from '../../../../pipeline/rivals/paged/counters.js';
import { PageBuffers } from '../../../../pipeline/rivals/paged/page-buffers.js';
import { randomFrom } from '../../../support/graph-game.js';
import { memoryPageFolder } from '../../../support/memory-page-folder.js';

/** Buffers over a file whose reads and writes are noted: "r5", "w2". */
function traced(count: number, pages: number) {
  const folder = memoryPageFolder();
  const file = folder.open('pages', true);
  const log: string[] = [];
  const noted: PageFile = {
    ...file,
    read(page, pool, at) {
      log.push(`r${page}`);
      file.read(page, pool, at);
    },
    write(page, pool, at) {
      log.push(`w${page}`);
      file.write(page, pool, at);
    },
  };
  const counters = newPagedCounters();
  const buffers = new PageBuffers(folder.pool(count), pages, noted, counters);
  const take = () => log.splice(0);
  return { buffers, counters, take };
}

test('the least recently used page makes room', () => {
  const { buffers, counters, take } = traced(3, 10);
  for (const page of [1, 2, 3, 1, 3]) buffers.frameFor(page);
  expect(take()).toEqual(['r1', 'r2', 'r3']);
  buffers.frameFor(4); // in the place of 2
  buffers.frameFor(1);
  buffers.frameFor(3);
  expect(take()).toEqual(['r4']);
  buffers.frameFor(2); // in the place of 4
  buffers.frameFor(1);
  expect(take()).toEqual(['r2']);
  expect(counters.faults).toBe(5);
});

test('a scanned page is pinned, and the first to go when the scan leaves it', () => {
  const { buffers, take } = traced(3, 20);
  buffers.frameFor(1);
  buffers.pin(10, false);
  buffers.frameFor(2);
  expect(take()).toEqual(['r1', 'r10', 'r2']);
  buffers.frameFor(3); // in the place of 1: 10 is older, but pinned
  buffers.frameFor(10);
  buffers.frameFor(2);
  expect(take()).toEqual(['r3']);
  buffers.release();
  buffers.pin(11, false); // in the place of 10, though 3 was used before it
  buffers.frameFor(3);
  buffers.frameFor(2);
  expect(take()).toEqual(['r11']);
  buffers.release();
});

test('changed pages are written when they make room, and by flush in page order; others never', () => {
  const { buffers, take } = traced(4, 20);
  for (const page of [9, 4, 7]) buffers.changed(buffers.frameFor(page));
  buffers.frameFor(5);
  take();
  buffers.frameFor(1);
  expect(take()).toEqual(['w9', 'r1']);
  buffers.flush();
  expect(take()).toEqual(['w4', 'w7']);
  buffers.flush();
  buffers.frameFor(2);
  expect(take()).toEqual(['r2']);
});

test('a fresh page is zero and not read', () => {
  const { buffers, take } = traced(3, 10);
  const frame = buffers.frameFor(1);
  buffers.pool[frame * PAGE_BYTES] = 7;
  buffers.changed(frame);
  const again = buffers.pin(1, true);
  expect(buffers.pool[again * PAGE_BYTES]).toBe(0);
  buffers.release();
  buffers.pin(2, true);
  buffers.release();
  expect(take()).toEqual(['r1']);
  buffers.flush();
  expect(take()).toEqual(['w1', 'w2']);
});

test('reads and writes are sequential when they are of the page after the one before', () => {
  const { buffers, counters } = traced(3, 100);
  for (const page of [5, 6, 7, 20, 21]) buffers.changed(buffers.frameFor(page));
  buffers.flush();
  expect(counters).toMatchObject({
    sequentialReads: 3,
    randomReads: 2,
    sequentialWrites: 3,
    randomWrites: 2,
  });
  expect(pageTraffic({ ...counters, lookups: 7 })).toEqual({
    hits: 2,
    pageReads: 5,
    pageWrites: 5,
    sequentialBytes: 6 * PAGE_BYTES,
    randomBytes: 4 * PAGE_BYTES,
  });
});

test.each([3, 8, 40])('with %i buffers random work reads back what was written', (count) => {
  const pages = 40;
  const { buffers } = traced(count, pages);
  const random = randomFrom(count);
  const expected = new Uint8Array(pages);
  for (let i = 0; i < 20_000; i++) {
    const page = random(pages);
    const scanned = random(5) === 0;
    const frame = scanned ? buffers.pin(page, false) : buffers.frameFor(page);
    const at = frame * PAGE_BYTES + page;
    expect(buffers.pool[at]).toBe(expected[page]);
    buffers.pool[at] = expected[page] = random(256);
    buffers.changed(frame);
    if (scanned) buffers.release();
  }
});
