/**
 * The methods that graphs share with games all answer: none is there only to say that it cannot be asked.
 */
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../operators/core/errors.js';
import { graphGame, graphs } from '../../../pipeline/graph/graph-game.js';
import { IMPORT_VERSION } from '../../../pipeline/graph/graph-layout.js';

/** Arguments with which each member can be called. */
const calls: Readonly<Record<string, readonly unknown[]>> = {
  ending: ['street'],
  endingsUpTo: [4],
  slice: ['street'],
  board: [{ slice: 'street', side: 0, part: 0, key: 3 }],
  format: [3],
  partSize: [0],
  orbitSizes: [0, new Uint32Array(1), 1, new Uint8Array(1)],
};

/** Reads every member of a graph as a game, and calls those that are functions. */
function ask(subject: object): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(subject)) {
    if (typeof member === 'function') expect(calls, `how ${name} is called`).toHaveProperty(name);
    answers[name] = typeof member === 'function' ? member.apply(subject, calls[name]) : member;
    expect(answers[name] ?? calls[name]?.at(-1), name).toBeDefined();
  }
  return answers;
}

const ofOneGraph = graphGame({ name: 'street', nodes: 6, version: IMPORT_VERSION });
const subjects: readonly (readonly [string, object])[] = [
  ['the graphs of a store', graphs],
  ['a graph', ofOneGraph],
  ['the slice of a graph by its name', graphs.slice('street')],
  ['the slice of a graph', ofOneGraph.slice('street')],
];

describe.each(subjects)('%s', (_, subject) => {
  it('implements every method that graphs share with games', () => {
    expect(Object.keys(ask(subject)).length).toBeGreaterThan(1);
  });

  it('has no kernels and no rules', () => {
    for (const absent of [
      'census',
      'moves',
      'unmoves',
      'conversions',
      'maxMoves',
      'parse',
      'locate',
      'terminal',
    ])
      expect(subject).not.toHaveProperty(absent);
  });
});

it('a graph is one slice, whose positions are its nodes', () => {
  const { slice, board, format } = ask(ofOneGraph);
  expect(slice).toMatchObject({ name: 'street', parts: 1, width: 6, size: 6, dependencies: [] });
  expect([board, format]).toEqual([3, 'node 3']);
});

it('names that no graph can have, and other graphs, are refused', () => {
  expect(() => graphs.ending('a/b')).toThrow(UserError);
  expect(() => ofOneGraph.ending('road')).toThrow(/there is no graph "road" here/);
});
