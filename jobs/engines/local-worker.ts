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
  report: (done: number) => reply({ type: 'report', done }),
};
let member: Member | undefined;

function reply(message: Reply): void {
  port.postMessage(message);
}

async function answer(call: Call): Promise<unknown> {
  if (call.type === 'open') {
    freeUnused();
    member = newMember(call.setup, world);
    return undefined;
  }
  assert(member !== undefined, 'a member is opened before it is called');
  if (call.method === 'openRounds' || call.method === 'finish') freeUnused();
  const method = member[call.method] as (...args: readonly unknown[]) => Promise<unknown>;
  return method(...call.args);
}

port.on('message', (call: Call) => {
  answer(call).then(
    (value) => reply({ type: 'result', id: call.id, value }),
    (error) => reply({ type: 'error', id: call.id, error: packError(error) }),
  );
});
