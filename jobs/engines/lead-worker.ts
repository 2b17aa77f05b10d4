/** The thread that leads a run: see lead.ts. With one worker it does the work itself, else it has a thread for each. */
import { parentPort, workerData } from 'node:worker_threads';
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Progress } from '../../pipeline/progress.js';
import { type Meter, solve } from '../../pipeline/solve.js';
import { type Engine, inlineEngine } from '../../pipeline/solvers/external/engine.js';
import { verifySlice } from '../../pipeline/verify-slice.js';
import { freeUnused } from '../heap.js';
import { findGame, openStore } from '../registry.js';
import { localEngine } from './local.js';
import { packError } from './packed-error.js';
import type { Task, TaskReply, TaskResults } from './protocol.js';

/** Progress is gathered for so long before it is sent. */
const SEND_MS = 50;

const task = workerData as Task;
const port = parentPort!;
const meter: Meter = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  peakRss: () => process.resourceUsage().maxRSS * 1024,
};

let gathered: Progress[] = [];
let sent = 0;

function send(reply: TaskReply): void {
  port.postMessage(reply);
}

function listen(progress: Progress): void {
  if (progress.type === 'phase') freeUnused();
  const last = gathered.at(-1);
  if (progress.type === 'work' && last?.type === 'work') {
    gathered[gathered.length - 1] = { ...last, done: last.done + progress.done };
  } else gathered.push(progress);
  const now = performance.now();
  if (progress.type === 'work' && now - sent < SEND_MS) return;
  sent = now;
  send({ type: 'progress', progress: gathered });
  gathered = [];
}

async function run(): Promise<TaskResults[keyof TaskResults]> {
  const game = findGame(task.game);
  const store = openStore(task.store);
  const scratch = newScratch(localStore(task.scratchFolder, { durable: false }), 'worker');
  const engine: Engine =
    task.workers > 1
      ? localEngine({ game: task.game, store: task.store, scratchFolder: task.scratchFolder }, task.workers)
      : inlineEngine(game, store, scratch);
  const options = { ...task, game, store, engine, meter, progress: listen };
  try {
    return task.kind === 'solve'
      ? await solve(options)
      : await verifySlice({ ...options, slice: task.slices[0] });
  } finally {
    await engine.close();
  }
}

run().then(
  (result) => send({ type: 'done', result }),
  (error) => send({ type: 'error', error: packError(error) }),
);
