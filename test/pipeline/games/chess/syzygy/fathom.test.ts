/** Fathom reads the files. Skipped where it is not installed (apt-get install libfathom-dev gcc libc6-dev). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LONG, LONGEST } from '../../../../support/long.js';
import { buildFathom } from './fathom.js';
import { expectedOf, filesOf, positionsOf, solveEnding } from './making.js';

const fathom = buildFathom();
const folder = mkdtempSync(join(tmpdir(), 'mergemate-syzygy-'));

describe.skipIf(fathom === null)('Fathom finds the values of the tables in the files', () => {
  afterAll(() => {
    fathom?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const cases = [
    {
      ending: 'KPK',
      of: ['KPK', 'KQK', 'KRK'],
      step: LONGEST ? 1 : LONG ? 7 : 17,
      least: LONGEST ? 250_000 : 15_000,
    },
    ...(LONG ? [{ ending: 'KRRK', of: ['KRRK'], step: 61, least: 20_000 }] : []),
    // With en passant, and all that the ending leads to: five minutes.
    ...(LONGEST
      ? [
          {
            ending: 'KPKP',
            of: ['KPKP', 'KPKPep', 'KQKP', 'KRKP', 'KBKP', 'KNKP', 'KQKQ', 'KQKR', 'KRKN', 'KBKB', 'KPK'],
            step: 101,
            least: 300_000,
          },
        ]
      : []),
  ];

  it.each(cases)('of $ending', { timeout: 1_800_000 }, async ({ ending, of, step, least }) => {
    const solved = await solveEnding(ending);
    const where = join(folder, ending);
    mkdirSync(where);
    for (const [name, bytes] of await filesOf(solved, 'exact')) writeFileSync(join(where, name), bytes);
    const positions = (await Promise.all(of.map((name) => positionsOf(solved, name, step)))).flat();
    expect(positions.length).toBeGreaterThan(least);
    const found = fathom!.probe(
      where,
      positions.map(({ fen }) => fen),
    );
    const wrong = positions.flatMap(({ fen, code }, i) => {
      const { outcome, plies } = expectedOf(code);
      const got = found[i];
      // Fathom knows no plies of mates.
      if (got.outcome === outcome && (got.plies === plies || (code === -1 && got.plies === 0))) return [];
      return [{ fen, code, got }];
    });
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
