/** When one partition does rounds for all. */
import { expect, test } from 'vitest';
import { HandOver, PACE } from '../../../pipeline/engine/crew/pace.js';

/** A round of two ranks between barriers of so many milliseconds. */
function round(requests: number, wallMs: number) {
  const ran = [0, 1].map((rank) => ({ host: '', rank, started: 0, wallMs, cpuMs: 0, peakRss: 0 }));
  return { requests, ran };
}

test('the savings of all rounds with few requests count, the first one included', () => {
  // To hand over the labels of 10^7 positions a side takes 40 ms: four barriers of 10 ms, since the rounds have no requests.
  const pace = new HandOver({ ...PACE, positionMs: 2e-6 }, 1e7, 2);
  pace.beginEpoch(false);
  const due: boolean[] = [];
  for (let i = 0; i < 4; i++) {
    pace.addRound(round(0, 10));
    due.push(pace.isDue(0));
  }
  expect(due).toEqual([false, false, false, true]);
});

test('a round with many requests ends the sum', () => {
  const pace = new HandOver({ ...PACE, positionMs: 2e-6 }, 1e7, 2);
  pace.beginEpoch(false);
  for (let i = 0; i < 3; i++) pace.addRound(round(0, 10));
  pace.addRound(round(PACE.fewRequests, 1000));
  pace.addRound(round(0, 10));
  expect(pace.isDue(0)).toBe(false);
});
