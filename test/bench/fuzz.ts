/** Fuzzes every reader of foreign input, for as many inputs as are asked for. */
import { fuzz } from '../fuzz/fuzz.js';
import { allTargets } from '../fuzz/targets.js';

export interface FuzzRow {
  readonly target: string;
  readonly inputs: number;
  readonly seconds: number;
}

/** Inputs in one go of fast-check: it keeps none of them. */
const BATCH = 5000;

/** `inputs` of each target, from this seed on. Throws fast-check's error for the first that is not read as it should be. */
export async function benchFuzz(inputs: number, seed: number): Promise<FuzzRow[]> {
  const rows: FuzzRow[] = [];
  for (const target of await allTargets()) {
    const began = performance.now();
    for (let done = 0; done < inputs; done += BATCH)
      await fuzz(target, Math.min(BATCH, inputs - done), seed + done);
    rows.push({ target: target.name, inputs, seconds: (performance.now() - began) / 1000 });
    process.stderr.write(`${target.name}: ${inputs} inputs\n`);
    await target.close?.();
  }
  return rows;
}
