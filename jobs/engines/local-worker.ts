/** A worker thread of the local engine: holds one member at a time and answers calls one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../operators/core/errors.js';
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { type Member, newMember } from '../../pipeline/solvers/external/member.js';
import { freeUnused } from '../heap.js';
import { findGame, openStore } from '../registry.js';
import { packError } from './packed-error.js';
import type { Call, Reply, WorkerPlace } from './protocol.js';

const place = workerData as WorkerPlace;
const port = parentPort!;
const world = {
  game: findGame(place.game),
  store: openStore(place.store),
  scratch: newScratch(localStore(place.scratchFolder, { durable: false }), place.scratchPrefix),
  report: (done: number) => {
    freeUnused(false);
    unreported += done;
    if (performance.now() - reported >= REPORT_MS) report();
  },
};

/** A message costs more than a batch: reports are gathered. */
const REPORT_MS = 100;
let unreported = 0;
let reported = 0;

function report(): void {
  if (unreported > 0) reply({ type: 'report', done: unreported });
  unreported = 0;
  reported = performance.now();
}

let member: Member | undefined;

function reply(message: Reply): void {
  port.postMessage(message);
}

async function answer(call: Call): Promise<unknown> {
  if (call.type === 'open') {
    freeUnused(true);
    member = newMember(call.setup, world);
    return undefined;
  }
  assert(member !== undefined, 'a member is opened before it is called');
  if (call.method === 'openRounds' || call.method === 'finish') freeUnused(true);
  const method = member[call.method] as (...args: readonly unknown[]) => Promise<unknown>;
  const value = await method(...call.args);
  report();
  return value;
}

port.on('message', (call: Call) => {
  answer(call).then(
    (value) => reply({ type: 'result', id: call.id, value }),
    (error) => reply({ type: 'error', id: call.id, error: packError(error) }),
  );
});
