import type { Emission } from './emission.js';

export function newEmission(rows: number): Emission {
  const column = () => new Uint32Array(rows);
  return { length: 0, major: column(), minor: column(), source: column() };
}
