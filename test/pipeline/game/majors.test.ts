import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventNumber, FLOWS, opponent, plyOf, sideOf } from '../../../pipeline/game/events.js';
import {
  dependencyMajors,
  firstMajor,
  firstMajorBehind,
  firstMajorOfEvent,
  groupOf,
  majorOf,
  majorsIn,
  majorsOf,
  partOf,
  sideOfMajor,
} from '../../../pipeline/game/majors.js';

const parts = fc.integer({ min: 1, max: 5000 });

test('a major encodes its group and part, and majors are numbered without gaps', () => {
  fc.assert(
    fc.property(parts, fc.nat(2000), fc.nat(), (parts, group, any) => {
      const slice = { parts };
      const part = any % parts;
      const major = majorOf(slice, group, part);
      expect([groupOf(slice, major), partOf(slice, major)]).toEqual([group, part]);
      expect(majorOf(slice, group, parts - 1) + 1).toBe(firstMajor(slice, group + 1));
      expect(majorsIn(slice, group)).toBe(firstMajor(slice, group));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('an interval of parts is an interval of majors in every group', () => {
  const slice = { parts: 7 };
  for (const flowNumber of FLOWS) {
    const range = majorsOf(slice, flowNumber, { from: 2, to: 7 });
    expect(range).toEqual({ from: majorOf(slice, flowNumber, 2), to: firstMajor(slice, flowNumber + 1) });
    expect(sideOfMajor(slice, range.from)).toBe(sideOf(flowNumber));
    expect(sideOfMajor(slice, range.to - 1)).toBe(sideOf(flowNumber));
  }
});

test('events are ordered by ply, then flow', () => {
  const slice = { parts: 3 };
  const majors = [0, 1, 77].flatMap((ply) => FLOWS.map((each) => firstMajorOfEvent(slice, ply, each)));
  expect(majors).toEqual([...majors].sort((a, b) => a - b));
  for (const flowNumber of FLOWS) {
    const event = groupOf(slice, firstMajorOfEvent(slice, 77, flowNumber) + 2);
    expect(event).toBe(eventNumber(77, flowNumber));
    expect(plyOf(event)).toBe(77);
  }
});

test('moves lead to the majors of the other side', () => {
  for (const side of [0, 1] as const)
    expect(groupOf({ parts: 9 }, firstMajorBehind({ parts: 9 }, side) + 8)).toBe(opponent(side));
});

test('dependencies are numbered one after the other, after the numbers in use', () => {
  expect(dependencyMajors({ dependencies: [{ parts: 3 }, { parts: 1 }] }, 10)).toEqual([10, 13, 16, 17, 18]);
  expect(dependencyMajors({ dependencies: [] }, 4)).toEqual([4]);
});
