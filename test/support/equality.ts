/**
 * Makes `expect` compare long columns of numbers and texts as fast as a loop does. Of its own it looks at each element by a
 * dozen calls: two columns of a million numbers take half a second. Whatever is not the same at the first look is compared
 * by `expect` as ever, and reported as ever.
 */
import { expect } from 'vitest';

/** Shorter columns are compared by `expect` alone, which also sees what else an array has, as the result of a RegExp. */
const LONG = 64;

const isPlain = (value: unknown): boolean =>
  value !== undefined && value !== null && typeof value !== 'object' && typeof value !== 'function';

function areSameRows(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length < LONG || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i]) || !isPlain(a[i])) return false;
  return true;
}

function areSameMaps(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  if (a.size < LONG || a.size !== b.size) return false;
  for (const [key, value] of a) if (!isPlain(value) || !Object.is(b.get(key), value)) return false;
  return true;
}

function areSame(a: unknown, b: unknown): true | undefined {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return undefined;
  if (a.constructor !== b.constructor) return undefined;
  const areColumns = Array.isArray(a) || (ArrayBuffer.isView(a) && !(a instanceof DataView));
  if (areColumns) return areSameRows(a as unknown[], b as unknown[]) || undefined;
  return (a instanceof Map && areSameMaps(a, b as typeof a)) || undefined;
}

// A process runs many test files, and each runs this one.
const added = globalThis as { areSameAdded?: true };
if (!added.areSameAdded) expect.addEqualityTesters([areSame]);
added.areSameAdded = true;
