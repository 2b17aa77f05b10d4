/**
 * Signals while rules of users run in this thread: an endless loop there would keep Node from ever handling one, so a thread
 * (signal-watcher.ts) interrupts it. The thread takes some 30 ms of CPU time to start and 9 MiB, and no time after that.
 */
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';
import { interruptNow, type StopSignal, stopSignals, whenAnswered } from './cli/exit.js';
import { programFile } from './cli/files.js';
import type { WatchedSignals } from './signal-watcher.js';

const INTERRUPT = 'mergemate.interrupt';
/** The thread has little to keep. */
const LIMITS = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, codeRangeSizeMb: 4 };

let watched: Promise<void> | undefined;
let watcher: Worker | undefined;

/** Has signals end the process whatever rules do in this thread. To be awaited before the first of them runs. */
export function watchForStuckRules(): Promise<void> {
  watched ??= startWatcher();
  return watched;
}

/**
 * Ends the thread while other threads run the rules and this one only waits: its 9 MiB are then not beside theirs. Returns what
 * starts it again, if there was one.
 */
export function pauseWatching(): () => void {
  if (watcher === undefined) return () => {};
  void watcher.terminate();
  watcher = watched = undefined;
  return () => void watchForStuckRules();
}

async function startWatcher(): Promise<void> {
  const signals = stopSignals();
  if (!isMainThread || signals.length === 0) return;
  const answered = new Int32Array(new SharedArrayBuffer(8));
  whenAnswered(() => Atomics.add(answered, 0, 1));
  (globalThis as Record<symbol, unknown>)[Symbol.for(INTERRUPT)] = (signal: StopSignal, where: string) =>
    interruptNow(signal, where, () => Atomics.load(answered, 1) === 1);
  const own = fileURLToPath(new URL('..', import.meta.url));
  const data: WatchedSignals = { answered, signals, own, interrupt: INTERRUPT };
  const started = new Worker(programFile('signal-watcher.js'), {
    workerData: data,
    // Handles of signals are internal to Node, which warns of its internals: the user can do nothing about that.
    execArgv: ['--expose-internals', '--no-warnings'],
    resourceLimits: LIMITS,
  });
  // Without it signals wait until the rules are done.
  await new Promise<void>((done) => started.once('message', () => done()).once('error', () => done()));
  started.on('error', () => {});
  started.unref();
  watcher = started;
}
