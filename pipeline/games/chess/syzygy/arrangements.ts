/** Which arrangements a subtable can have, and which of them compresses best. */
import { type Arrangement, likeMen, subtableIndex } from './arrangement.js';
import { ANY_UP_TO, type Coding, settle } from './cells.js';
import { huffmanCodes } from './huffman.js';
import type { Material } from './material.js';
import { pairUp } from './pairing.js';
import type { Subtable } from './subtable.js';

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]),
  );
}

/** What may lead: the pawns; without pawns three single men in any order, or the kings where there are not so many. */
function leads(material: Material): number[][] {
  if (material.leadPawns.length > 0) return [[...material.leadPawns]];
  const single = likeMen(material, [...material.men.keys()])
    .filter((group) => group.length === 1)
    .flat();
  const length = single.length >= 3 ? 3 : 2;
  const ordered = (count: number, men: number[]): number[][] =>
    count === 0
      ? [[]]
      : men.flatMap((man) =>
          ordered(
            count - 1,
            men.filter((other) => other !== man),
          ).map((rest) => [man, ...rest]),
        );
  return ordered(length, single);
}

/** All arrangements, each once. */
export function arrangementsOf(material: Material): Arrangement[] {
  return leads(material).flatMap((lead) => {
    const fixed = material.otherPawns.length > 0 ? [lead, [...material.otherPawns]] : [lead];
    const placed = new Set(fixed.flat());
    const rest = likeMen(
      material,
      [...material.men.keys()].filter((man) => !placed.has(man)),
    );
    return permutations([...fixed, ...rest]).map((weighed) => {
      const groups = [...fixed, ...weighed.filter((group) => !fixed.includes(group))];
      return { groups, weights: weighed.map((group) => groups.indexOf(group)) };
    });
  });
}

/** Samples are stretches of a subtable, evenly spread: small ones to count runs, larger ones to compress. */
const STRETCHES = 32;
const SMALL_SAMPLE = 1 << 15;
const SAMPLE = 1 << 17;
/** Arrangements with the fewest runs are compared by how well a sample compresses. */
const FINALISTS = 6;
const TRIAL = { leastCount: 16, mostSymbols: 160 } as const;

/** Chooses among `arrangements` for the subtable, whose own index may be any of them. */
export function chooseArrangement(
  material: Material,
  file: number,
  { index, codes, zeroing }: Subtable,
  { cellOf, leaves }: Coding,
  arrangements: readonly Arrangement[],
): Arrangement {
  if (leaves.length === 1 || arrangements.length === 1) return arrangements[0];
  const squares = new Uint8Array(material.men.length);
  const sample = (arrangement: Arrangement, most: number): { cells: Uint16Array; runs: number } => {
    const stretches = index.size <= most ? 1 : STRETCHES;
    const stretch = Math.floor(Math.min(index.size, most) / stretches);
    const tried = subtableIndex(material, arrangement, file);
    const cells = new Uint16Array(stretch * stretches);
    for (let s = 0, to = 0; s < stretches; s++) {
      const from = stretches === 1 ? 0 : Math.floor((s * (tried.size - stretch)) / (stretches - 1));
      for (let i = 0; i < stretch; i++) {
        tried.decode(from + i, squares);
        const at = index.encode(squares);
        cells[to++] = at < 0 ? ANY_UP_TO + leaves.length - 1 : cellOf(codes[at], zeroing[at]);
      }
    }
    return { cells, runs: settle(cells) };
  };
  const ranked = arrangements
    .map((arrangement) => ({ arrangement, runs: sample(arrangement, SMALL_SAMPLE).runs }))
    .sort((a, b) => a.runs - b.runs)
    .slice(0, FINALISTS)
    .map(({ arrangement }) => ({
      arrangement,
      bits: trialBits(sample(arrangement, SAMPLE).cells, leaves.length),
    }));
  return ranked.reduce((best, other) => (other.bits < best.bits ? other : best)).arrangement;
}

/** The bits that a sample takes with a few symbols. */
function trialBits(cells: Uint16Array, leaves: number): number {
  const { sequence, symbols } = pairUp(cells, leaves, { ...TRIAL, mostSymbols: leaves + TRIAL.mostSymbols });
  const counts = new Float64Array(symbols);
  for (const symbol of sequence) counts[symbol]++;
  const { lengths } = huffmanCodes(counts);
  return counts.reduce((sum, count, symbol) => sum + count * lengths[symbol], 0);
}
