/** Where moves lead: of each man that moves, what it captures and what it becomes, an ending and where our men are in it. */
import type { Side } from '../../../../game/game.js';
import { type Kernels, layOut, writeWords } from '../kernels.js';
import { BLACK, type Material, materialOf, PAWN } from '../material.js';
import { kingsNear, PAIRS_BYTES, type Placements, pairOf } from './placements.js';
import { type BlockPool, type Blocks, newPools } from './pools.js';

/** The outcomes that programs find in a file of WDL: bytes by placement, see assembly/rows.ts. */
export interface Outcomes {
  readonly placements: Placements;
  readonly blocks: Blocks;
}

export interface Target {
  /** As the kernels number them. */
  readonly number: number;
  /** Null: nobody can win. */
  readonly of: Outcomes | null;
  /** Whether the colours are exchanged there. */
  readonly isTurned: boolean;
  /** For each man there the number of ours. */
  readonly men: readonly number[];
}

export const OWN_TARGET = 0;
/** The number of the plies of the ending itself. */
const OWN_PLIES = 512;
const WORDS = 16;
const FLIP = 56;
/** Kings as they are, and after a move of one. */
const NEAR = 9;
const LETTERS = '.PNBRQ';

/** The men after each capture or promotion. */
export function changesOf({
  men,
}: Material): { readonly number: number; readonly men: readonly (number | null)[] }[] {
  const changes: { number: number; men: (number | null)[] }[] = [];
  for (const [man, code] of men.entries()) {
    for (let captured = -1; captured < men.length; captured++) {
      const isFoe = captured > 1 && men[captured] > BLACK !== code > BLACK;
      if (captured >= 0 && !isFoe) continue;
      for (const promotion of code % BLACK === PAWN ? [0, 2, 3, 4, 5] : [0]) {
        if (captured < 0 && promotion === 0) continue;
        const after: (number | null)[] = men.map((was, i) => (i === captured ? null : was));
        if (promotion > 0) after[man] = promotion + (code > BLACK ? BLACK : 0);
        changes.push({ number: (man * 8 + captured + 1) * 8 + promotion, men: after });
      }
    }
  }
  return changes;
}

/** The material of men; null of kings alone. */
export function materialAfter(men: readonly (number | null)[]): Material | null {
  const letters = (isBlack: boolean) =>
    men
      .filter((code, man) => man > 1 && code !== null && code > BLACK === isBlack)
      .sort((a, b) => b! - a!)
      .map((code) => LETTERS[code! % BLACK])
      .join('');
  const [white, black] = [letters(false), letters(true)];
  return white + black === '' ? null : materialOf(white, black);
}

/** The target of a change, in outcomes under either of the names of their ending. */
export function targetOf(number: number, men: readonly (number | null)[], of: Outcomes | null): Target {
  if (of === null) return { number, of, isTurned: false, men: [] };
  const slots = (flip: number): number[] => {
    const free = [...men];
    return of.placements.material.men.map((code) => {
      const man = free.indexOf(code ^ flip);
      if (man >= 0) free[man] = null;
      return man;
    });
  };
  const straight = slots(0);
  const isTurned = straight.includes(-1);
  return { number, of, isTurned, men: isTurned ? slots(BLACK) : straight };
}

/** The values that a pass looks up, in the arena of the kernels. */
export interface Reach {
  /** Brings what moves of a side lead to from a pair of kings. */
  use(pair: number, side: Side): void;
  /** Where the ending's own blocks are. */
  own(pair: number): number;
  /** Gives addresses behind the pools. */
  readonly allocate: (bytes: number) => number;
}

/**
 * Sets the kernels to targets and, if given, the ending's own blocks: outcomes, or plies. `besides`: bytes that are needed behind the
 * pools. Throws UserError if the memory is too small.
 */
export function newReach(
  kernels: Kernels,
  placements: Placements,
  targets: readonly Target[],
  own: { readonly blocks: Blocks; readonly isPlies: boolean } | null,
  besides: number,
): Reach {
  const allocate = layOut(kernels);
  const outcomes = [...new Set(targets.flatMap(({ of }) => (of === null ? [] : [of])))];
  const wanted = outcomes.map((of) => ({ blocks: of.blocks, least: NEAR * turnsOf(targets, of).size }));
  if (own !== null) wanted.push({ blocks: own.blocks, least: NEAR });
  const pools = newPools(kernels, allocate, wanted, besides);
  const poolOf = new Map(outcomes.map((of, i) => [of, pools[i]]));
  for (const target of targets) writeTarget(kernels, target, poolOf.get(target.of!)?.table ?? 0);
  const ownPool = own === null ? null : pools.at(-1)!;
  if (ownPool !== null) {
    const men = [...placements.material.men.keys()];
    const self = { placements, blocks: own!.blocks };
    const number = own!.isPlies ? OWN_PLIES : OWN_TARGET;
    writeTarget(kernels, { number, of: self, isTurned: false, men }, ownPool.table);
  }
  const uses = usesOf(placements, targets, poolOf, ownPool);
  return {
    allocate,
    use(pair, side) {
      const near = kingsNear(placements.pairs[pair], side);
      for (const { pool, kind, turns } of uses) {
        const numbers = new Set<number>();
        for (const [white, black] of near) {
          if (turns.has(false)) numbers.add(pairOf(kind, white, black).number);
          if (turns.has(true)) numbers.add(pairOf(kind, black ^ FLIP, white ^ FLIP).number);
        }
        pool.use([...numbers]);
      }
    },
    own: (pair) => ownPool!.address(pair),
  };
}

function turnsOf(targets: readonly Target[], of: Outcomes): Set<boolean> {
  return new Set(targets.filter((target) => target.of === of).map(({ isTurned }) => isTurned));
}

function usesOf(
  { kind }: Placements,
  targets: readonly Target[],
  poolOf: ReadonlyMap<Outcomes, BlockPool>,
  own: BlockPool | null,
): { readonly pool: BlockPool; readonly kind: 0 | 1; readonly turns: ReadonlySet<boolean> }[] {
  const uses = [...poolOf].map(([of, pool]) => ({
    pool,
    kind: of.placements.kind,
    turns: turnsOf(targets, of),
  }));
  return own === null ? uses : [...uses, { pool: own, kind, turns: new Set([false]) }];
}

function writeTarget(kernels: Kernels, { number, of, isTurned, men }: Target, table: number): void {
  const words = new Array<number>(WORDS).fill(0);
  if (of === null) words[4] = 1;
  else {
    const { kind, weights, digits, alike, alikeWeight, least, taken } = of.placements;
    words[0] = table;
    words[1] = kind * PAIRS_BYTES;
    words[2] = isTurned ? FLIP : 0;
    words[3] = taken;
    words[5] = alikeWeight;
    for (const there of digits) words[6 + men[there]] = weights[there];
    words[14] = alike > 0 ? least[digits[0]] : 0;
  }
  writeWords(kernels, 'TARGETS', words, number * WORDS);
}
