/**
 * Whether two values have the same content, as far as that can be seen: primitives, arrays, typed arrays, maps, sets and plain objects.
 * Instances of classes may have private fields, and functions close over variables, so two of these never count as the same.
 */
export function isSameContent(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const prototype: unknown = Object.getPrototypeOf(a);
  if (prototype !== Object.getPrototypeOf(b)) return false;
  if (Array.isArray(a)) return areSame(a, b as unknown[]);
  if (ArrayBuffer.isView(a))
    return !(a instanceof DataView) && areSame(a as unknown as ArrayLike<number>, b as never);
  if (a instanceof Map) return areSame([...a], [...(b as typeof a)]);
  if (a instanceof Set) return areSame([...a], [...(b as typeof a)]);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const fields = Object.keys(a);
  if (fields.length !== Object.keys(b).length) return false;
  for (const field of fields)
    if (!Object.hasOwn(b, field) || !isSameContent((a as Fields)[field], (b as Fields)[field])) return false;
  return true;
}

type Fields = Record<string, unknown>;

function areSame(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!isSameContent(a[i], b[i])) return false;
  return true;
}
