/** Joins what partitions return, side by side. */
export function bySide<T>(of: (side: 0 | 1) => T): [T, T] {
  return [of(0), of(1)];
}

/** Adds up a field of all parts. */
export function sumSides<Field extends string>(
  parts: readonly Readonly<Record<Field, readonly [number, number]>>[],
  field: Field,
): [number, number] {
  return bySide((side) => parts.reduce((sum, part) => sum + part[field][side], 0));
}

export function sumField<Field extends string>(
  parts: readonly Readonly<Record<Field, number>>[],
  field: Field,
): number {
  return parts.reduce((sum, part) => sum + part[field], 0);
}
