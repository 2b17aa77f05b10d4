/** Checks that a game keeps the contract of pipeline/game/game.ts: its batch kernels against its readable rules. */
import { UserError } from '../../operators/core/errors.js';
import type { Address, Game, Side } from '../game/game.js';
import type { ProgressListener } from '../game/progress.js';
import { type Random, sample, seededRandom } from '../game/sample.js';
import { capacityCheck } from './capacity-check.js';
import { mirrorChecks, strayUnconversion } from './mirror-checks.js';
import { orbitCheck, wrongOrbit } from './orbit-checks.js';
import { type PositionCheck, positionChecks } from './position-checks.js';
import { rowChecks } from './row-checks.js';
import { rowConversionCheck } from './row-conversion-checks.js';
import { sliceChecks } from './slice-checks.js';
import { type Failure, faultOf, shrink, tryCheck } from './smallest.js';
import { newSubject, type Subject } from './subject.js';
import { symmetryCheck } from './symmetry-checks.js';
import { type ContractRule, contractRules, thrown, type Violation } from './violation.js';

/** The slices to check, and how closely. */
export interface CheckOptions {
  /** Canonical names; they are checked in this order. */
  readonly slices: readonly string[];
  /** Indices of a side of a slice that are looked at: all if the slice has no more, else a sample. */
  readonly positions: number;
  /** The same seed, the same samples. */
  readonly seed: number;
  /** `slice` and `finished` events. */
  readonly progress?: ProgressListener;
  /** Waited for now and then, for programs with something else to do. */
  pause?(): Promise<void>;
}

/** A slice that was checked, and how much of it. */
export interface CheckedSlice {
  readonly slice: string;
  /** Indices of a side, and how many of each side were looked at (the mean if samples of the sides differ). */
  readonly size: number;
  readonly indices: number;
  /** Legal positions among those looked at, both sides together. */
  readonly legal: number;
  /** Rules that were not checked, with the reason: the slice leaves their kernels out. */
  readonly skipped: readonly { readonly rule: ContractRule; readonly why: string }[];
}

/** The result of a check. */
export interface CheckReport {
  readonly slices: readonly CheckedSlice[];
  /** The simplest case of each rule that is broken, in the order of `contractRules`. */
  readonly violations: readonly Violation[];
  readonly seed: number;
}

const positionwise: readonly PositionCheck[] = [
  ...positionChecks,
  ...mirrorChecks,
  rowConversionCheck,
  ...rowChecks,
  symmetryCheck,
  orbitCheck,
  capacityCheck,
];

/** Failures of one rule that are gathered before they are shrunk. */
const ENOUGH = 8;
/** Positions of a dependency, for each pair of sides, whose unconversions are checked in addition to those led to. */
const STRAYS = 16;

/**
 * Stops at the first slice in which a rule is broken, and names each rule that is broken there once. Slices that depend on
 * it break these rules as well.
 */
export async function checkGame(game: Game, options: CheckOptions): Promise<CheckReport> {
  const { slices, seed } = options;
  const checked: CheckedSlice[] = [];
  let violations: Violation[] = [];
  for (const [i, name] of slices.entries()) {
    options.progress?.({ type: 'slice', slice: name, number: i + 1, of: slices.length });
    const found = await checkOrFail(game, name, options, seededRandom(seed + i));
    options.progress?.({ type: 'finished', slice: name });
    checked.push(found.checked);
    violations = found.violations;
    if (violations.length > 0) break;
  }
  return { slices: checked, violations, seed };
}

/**
 * Checks of positions catch what kernels throw. Here it is caught where the slice is made, and where the census is
 * asked. The census comes first and says which positions there are. Throws UserError, for names that are none.
 */
async function checkOrFail(game: Game, name: string, options: CheckOptions, random: Random) {
  let subject: Subject | null = null;
  try {
    subject = newSubject(game, name);
    return await checkSlice(subject, options, random);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const rule: ContractRule = subject === null ? 'names' : 'census';
    const violation = { rule, slice: name, address: null, board: null, ...thrown(error) };
    const checked = { slice: name, size: subject?.slice.size ?? 0, indices: 0, legal: 0, skipped: [] };
    return { checked, violations: [violation] };
  }
}

async function checkSlice(
  subject: Subject,
  { positions, pause = async () => {} }: CheckOptions,
  random: Random,
): Promise<{ checked: CheckedSlice; violations: Violation[] }> {
  const { game, slice } = subject;
  const { name } = slice;
  const nothing = { slice: name, size: slice.size, indices: 0, legal: 0, skipped: [] };
  const ofSlice = checkWhole(subject);
  if (ofSlice.length > 0) return { checked: nothing, violations: ofSlice };

  const skipped = positionwise.flatMap(({ rule, absent }) => {
    const why = absent?.(subject) ?? null;
    return why === null ? [] : [{ rule, why }];
  });
  const asked = positionwise.filter(({ rule }) => !skipped.some((each) => each.rule === rule));
  const failures = new Map<PositionCheck, Failure[]>();
  const looked = { indices: 0, legal: 0 };
  for (const { side, part, first, length } of sample(slice, positions, random)) {
    for (let key = first; key < first + length; key++) {
      const at: Address = { slice: name, side, part, key };
      const isLegal = subject.isLegal(side, part, key);
      if (++looked.indices % 32 === 0) await pause();
      if (isLegal) looked.legal++;
      for (const check of asked) {
        if (!check.anyIndex && !isLegal) continue;
        // Those looked at are chosen by chance: what is regular in an index must not hide from a regular choice.
        if (check.every > 1 && random(check.every) !== 0) continue;
        const known = failures.get(check) ?? [];
        const failure = known.length < ENOUGH ? tryCheck(check, subject, at) : null;
        if (failure !== null) failures.set(check, [...known, failure]);
      }
    }
  }

  const found = [...failures].map(([check, known]) => violationOf(shrink(game, check, known, random)));
  if (!failures.has(orbitCheck)) {
    const orbit = await wrongOrbit(subject, pause);
    if (orbit !== null) found.push(violationOf({ subject, rule: 'orbits', ...orbit }));
  }
  found.push(...(await strays(subject, random, pause)));
  const checked = {
    ...looked,
    slice: name,
    size: slice.size,
    indices: Math.round(looked.indices / 2),
    skipped,
  };
  return { checked, violations: onceEach(found) };
}

/** Violations of the slice as a whole. */
function checkWhole(subject: Subject): Violation[] {
  return sliceChecks.flatMap(({ rule, check }) => {
    const found = faultOf(rule, () => check(subject));
    if (found === null) return [];
    return [{ rule: found.rule, slice: subject.slice.name, address: null, board: null, ...found.fault }];
  });
}

/** Unconversions of positions, taken at random, to which perhaps nothing converts. */
async function strays(subject: Subject, random: Random, pause: () => Promise<void>): Promise<Violation[]> {
  const { game, slice } = subject;
  if (slice.unconversions === undefined) return [];
  for (const [dependency, { slice: name }] of slice.dependencies.entries()) {
    const there = newSubject(game, name);
    for (let i = 0; i < STRAYS; i++) {
      await pause();
      const part = random(there.slice.parts);
      const key = random(there.slice.partSize(part));
      for (const sideThere of [0, 1] as const) {
        if (!there.isLegal(sideThere, part, key)) continue;
        const to = { dependency, address: { slice: name, side: sideThere, part, key } };
        for (const side of [0, 1] as Side[]) {
          const check: PositionCheck = {
            rule: 'unconversions',
            every: 1,
            check: () => strayUnconversion(subject, to, side),
          };
          const failure = tryCheck(check, subject, to.address);
          if (failure !== null) return [violationOf({ ...failure, subject: there })];
        }
      }
    }
  }
  return [];
}

function violationOf({ subject, at, rule, fault }: Failure): Violation {
  const found = subject.hasBoards ? subject.boardAt(at) : '';
  const board = typeof found === 'string' ? null : found.text;
  return { rule, slice: at.slice, address: at, board, ...fault };
}

/** Several checks may come upon the same rule. */
function onceEach(violations: readonly Violation[]): Violation[] {
  // If rules answer otherwise each time, no other finding means anything.
  const fickle = violations.find(({ rule }) => rule === 'again');
  if (fickle !== undefined) return [fickle];
  const rules = new Map<ContractRule, Violation>();
  for (const violation of violations) if (!rules.has(violation.rule)) rules.set(violation.rule, violation);
  const order = Object.keys(contractRules);
  return [...rules.values()].sort((a, b) => order.indexOf(a.rule) - order.indexOf(b.rule));
}
