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
const BIAS = 7;

/** All kernels that are given positions of the slice itself. */
export function kernelsOf({ slice }: Subject, side: Side, part: number): NamedKernel[] {
  const { local, unmoves } = slice;
  const bias = dependencyMajors(slice, BIAS).slice(0, -1);
  const kernels: NamedKernel[] = [
    {
      rule: 'moves',
      name: 'moves',
      kernel: (keys, from, to, out) => slice.moves(side, part, keys, from, to, BIAS, out),
      sources: true,
      majors: true,
    },
    {
      rule: 'conversions',
      name: 'conversions',
      kernel: (keys, from, to, out) => slice.conversions(side, part, keys, from, to, bias, out),
      sources: true,
      majors: true,
    },
  ];
  if (unmoves !== undefined)
    kernels.push({
      rule: 'unmoves',
      name: 'unmoves',
      kernel: (keys, from, to, out) => unmoves(side, part, keys, from, to, BIAS, out),
      sources: false,
      majors: true,
    });
  if (local !== undefined)
    kernels.push(
      {
        rule: 'local',
        name: 'unmovesWithin',
        kernel: (keys, from, to, out) => local.unmovesWithin(side, part, keys, from, to, out),
        sources: false,
        majors: false,
      },
      {
        rule: 'local',
        name: 'unmovesBeyond',
        kernel: (keys, from, to, out) => local.unmovesBeyond(side, part, keys, from, to, BIAS, out),
        sources: false,
        majors: true,
      },
    );
  return kernels;
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
export function movesFrom(subject: Subject, { side, part, key }: Address): Address[] {
  const { slice, out } = subject;
  const rows = rowsOf(
    subject,
    'moves',
    (keys, from, to) => slice.moves(side, part, keys, from, to, BIAS, out),
    key,
  );
  needSources(subject, 'moves', rows.length);
  return addressesOf('moves', rows, slice, other(side), BIAS);
}

/** Addresses that `unmoves` gives for a position: all, broken ones too. */
export function unmovesTo(subject: Subject, { side, part, key }: Address): Address[] {
  const { slice, out } = subject;
  const rows = rowsOf(
    subject,
    'unmoves',
    (keys, from, to) => slice.unmoves!(side, part, keys, from, to, BIAS, out),
    key,
  );
  return addressesOf('unmoves', rows, slice, other(side), BIAS);
}

/** Addresses that the two kernels of `Slice.local` give for a position. */
export function localUnmovesTo(subject: Subject, { side, part, key }: Address): Address[] {
  const { slice, out } = subject;
  const { unmovesWithin, unmovesBeyond } = slice.local!;
  const within = rowsOf(
    subject,
    'local',
    (keys, from, to) => unmovesWithin(side, part, keys, from, to, out),
    key,
  ).map(([, minor]) => [part + BIAS, minor] as const);
  const beyond = rowsOf(
    subject,
    'local',
    (keys, from, to) => unmovesBeyond(side, part, keys, from, to, BIAS, out),
    key,
  );
  return addressesOf('local', [...within, ...beyond], slice, other(side), BIAS);
}

/** A position in a dependency, with the dependency's number. */
export interface ConvertedPosition {
  readonly dependency: number;
  readonly address: Address;
}

/** Where `conversions` leads from a position. */
export function conversionsFrom(subject: Subject, { side, part, key }: Address): ConvertedPosition[] {
  const { game, slice, out } = subject;
  const bias = dependencyMajors(slice, BIAS).slice(0, -1);
  const rows = rowsOf(
    subject,
    'conversions',
    (keys, from, to) => slice.conversions(side, part, keys, from, to, bias, out),
    key,
  );
  needSources(subject, 'conversions', rows.length);
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
