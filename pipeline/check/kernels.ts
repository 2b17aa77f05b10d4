/** The kernels of a slice, bound to side and part, with the duties that they share. */
import type { Address, Side } from '../game/game.js';
import { dependencyMajors } from '../game/majors.js';
import { addressesOf, type BoundKernel, rowsOf, type Subject } from './subject.js';
import { type ContractRule, Contradiction } from './violation.js';

export interface NamedKernel {
  readonly rule: ContractRule;
  /** The kernel's name in messages. */
  readonly name: string;
  readonly kernel: BoundKernel;
  /** Whether it returns the position that a row came from, and the part of the row. */
  readonly sources: boolean;
  readonly majors: boolean;
}

/** Added to parts, so that a kernel that forgets the bias is found out. */
export const BIAS = 7;

/** Majors of the sides of the dependencies, the bias added. */
const biasOf = (slice: Subject['slice']): number[] => dependencyMajors(slice, BIAS).slice(0, -1);

/** The kernels that are given positions of the slice itself; undefined where the slice has none. */
function bound({ slice }: Subject, side: Side, part: number) {
  const { local, unmoves } = slice;
  const bias = biasOf(slice);
  return {
    moves: (keys, from, to, out) => slice.moves(side, part, keys, from, to, BIAS, out),
    conversions: (keys, from, to, out) => slice.conversions(side, part, keys, from, to, bias, out),
    unmoves: unmoves && ((keys, from, to, out) => unmoves(side, part, keys, from, to, BIAS, out)),
    unmovesWithin: local && ((keys, from, to, out) => local.unmovesWithin(side, part, keys, from, to, out)),
    unmovesBeyond:
      local && ((keys, from, to, out) => local.unmovesBeyond(side, part, keys, from, to, BIAS, out)),
  } as const satisfies Record<string, BoundKernel | undefined>;
}
type KernelName = keyof ReturnType<typeof bound>;

/** The rule that a kernel must keep. */
const RULES: Readonly<Record<KernelName, ContractRule>> = {
  moves: 'moves',
  conversions: 'conversions',
  unmoves: 'unmoves',
  unmovesWithin: 'local',
  unmovesBeyond: 'local',
};

/** All kernels that are given positions of the slice itself. */
export function kernelsOf(subject: Subject, side: Side, part: number): NamedKernel[] {
  const kernels = bound(subject, side, part);
  return (Object.keys(kernels) as KernelName[]).flatMap((name) => {
    const kernel = kernels[name];
    if (kernel === undefined) return [];
    const sources = name === 'moves' || name === 'conversions';
    return [{ rule: RULES[name], name, kernel, sources, majors: name !== 'unmovesWithin' }];
  });
}

/** The rows that a kernel of the slice emits for a position of it. */
function rowsFrom(subject: Subject, name: KernelName, { side, part, key }: Address) {
  const rows = rowsOf(subject, RULES[name], bound(subject, side, part)[name]!, key);
  if (name === 'moves' || name === 'conversions') needSources(subject, name, rows.length);
  return rows;
}

/** The kernel that takes conversions back, for positions of a part of a dependency. */
export function unconversionsOf(
  { slice }: Subject,
  side: Side,
  dependency: number,
  sideThere: Side,
  part: number,
): NamedKernel {
  return {
    rule: 'unconversions',
    name: 'unconversions',
    kernel: (keys, from, to, out) =>
      slice.unconversions!(side, dependency, sideThere, part, keys, from, to, BIAS, out),
    sources: false,
    majors: true,
  };
}

function other(side: Side): Side {
  return side === 0 ? 1 : 0;
}

/** Where `moves` leads from a position. */
export function movesFrom(subject: Subject, at: Address): Address[] {
  return addressesOf('moves', rowsFrom(subject, 'moves', at), subject.slice, other(at.side), BIAS);
}

/** Addresses that `unmoves` gives for a position: all, broken ones too. */
export function unmovesTo(subject: Subject, at: Address): Address[] {
  return addressesOf('unmoves', rowsFrom(subject, 'unmoves', at), subject.slice, other(at.side), BIAS);
}

/** Addresses that the two kernels of `Slice.local` give for a position. */
export function localUnmovesTo(subject: Subject, at: Address): Address[] {
  const within = rowsFrom(subject, 'unmovesWithin', at).map(([, minor]) => [at.part + BIAS, minor] as const);
  const rows = [...within, ...rowsFrom(subject, 'unmovesBeyond', at)];
  return addressesOf('local', rows, subject.slice, other(at.side), BIAS);
}

/** A position in a dependency, with the dependency's number. */
export interface ConvertedPosition {
  readonly dependency: number;
  readonly address: Address;
}

/** Where `conversions` leads from a position. */
export function conversionsFrom(subject: Subject, at: Address): ConvertedPosition[] {
  const { game, slice } = subject;
  const bias = biasOf(slice);
  const rows = rowsFrom(subject, 'conversions', at);
  return rows.map((row) => {
    const group = bias.findLastIndex((first) => first <= row[0]);
    if (group < 0)
      throw new Contradiction('conversions', {
        kernel: `conversions emits major ${row[0]}`,
        rules: 'the bias of every dependency is more',
      });
    const dependency = group >> 1;
    const there = game.slice(slice.dependencies[dependency].slice);
    const sideThere = (group & 1) as Side;
    return {
      dependency,
      address: addressesOf('conversions', [row], there, sideThere, bias[group])[0],
    };
  });
}

/** Addresses that `unconversions` gives for a position of a dependency: with `side` to move, broken ones too. */
export function unconversionsTo(
  subject: Subject,
  { dependency, address }: ConvertedPosition,
  side: Side,
): Address[] {
  const { kernel } = unconversionsOf(subject, side, dependency, address.side, address.part);
  return addressesOf(
    'unconversions',
    rowsOf(subject, 'unconversions', kernel, address.key),
    subject.slice,
    side,
    BIAS,
  );
}

function needSources({ out }: Subject, rule: ContractRule, rows: number): void {
  const wrong = out.source.subarray(0, rows).findIndex((source) => source !== 1);
  if (wrong >= 0)
    throw new Contradiction(rule, {
      kernel: `${rule} writes source ${out.source[wrong]}`,
      rules: 'the position is number 1 of the batch',
    });
}
