/** Keeps ascending values once; returns how many there are. */
export function dropRepeats(values: Uint32Array, length: number): number {
  let n = 0;
  for (let i = 0; i < length; i++) if (i === 0 || values[i] !== values[i - 1]) values[n++] = values[i];
  return n;
}
