/** Division of memory in phases. */
import { expect, test } from 'vitest';
import { explainMemory, memoryOf, PHASE_MEMORY } from '../../../pipeline/engine/memory/phase-memory.js';
import { IMPORT_MEMORY } from '../../../pipeline/graph/memory.js';
import { budgetOf, MiB } from '../../support/solving.js';

test('the buffers of every phase are most of its memory, and no more than all of it', () => {
  for (const [phase, shares] of Object.entries(PHASE_MEMORY)) {
    const sum = Object.values<number>(shares).reduce((total, share) => total + share, 0);
    expect(sum, phase).toBeLessThan(1 + 1e-9);
    // The rest is for rows that a phase holds beside its buffers: positions that are converted, most of all.
    expect(sum, phase).toBeGreaterThan(0.85);
  }
  const all = explainMemory(budgetOf(64 * MiB));
  for (const phase of Object.keys(PHASE_MEMORY)) {
    const bytes = all
      .filter((buffer) => buffer.phase === phase)
      .reduce((sum, buffer) => sum + buffer.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(64 * MiB);
    expect(bytes).toBeGreaterThan(0.85 * 64 * MiB);
  }
});

test('imports of graphs take no more than the budget, and no phase has the name of a phase of slices', () => {
  for (const [phase, shares] of Object.entries(IMPORT_MEMORY)) {
    expect(PHASE_MEMORY).not.toHaveProperty(phase);
    const buffers = explainMemory(budgetOf(64 * MiB), { [phase]: shares });
    expect(buffers.map(({ buffer }) => buffer)).toEqual(Object.keys(shares));
    expect(buffers.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(64 * MiB);
  }
});

test('a phase takes the memory that is given for it', () => {
  const explained = explainMemory(budgetOf(MiB)).find(
    ({ phase, buffer }) => phase === 'rounds' && buffer === 'labels',
  );
  expect(memoryOf('rounds', budgetOf(MiB)).labels.memory).toBe(explained!.bytes);
});
