/**
 * A thread that ends the process when a signal finds the main thread in a loop of somebody's rules. Node handles signals in the
 * event loop of the main thread, which such a loop never comes back to. Node offers signals to the main thread alone, but libuv
 * delivers them to every loop that has a handle for them, and this thread opens such handles. Where they cannot be had, a
 * signal waits for the rules, as it would without this thread.
 *
 * If the main thread has not answered a signal after a moment, this thread stops it with the inspector, reads from its stack
 * which function of whose module was running, has it leave the line that the user sees, and terminates what it was doing.
 */
import { writeSync } from 'node:fs';
import type { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

/** Given by the main thread (stuck-rules.ts). */
export interface WatchedSignals {
  /** How many signals the main thread has answered; and 1 once the inspector that interrupted it is gone. */
  readonly answered: Int32Array;
  readonly signals: readonly NodeJS.Signals[];
  /** The folder of this program: whatever else stands on the stack is somebody's rules. */
  readonly own: string;
  /** The name of the global function that the main thread is interrupted with. */
  readonly interrupt: string;
}

interface SignalHandle {
  onsignal: () => void;
  start(signal: number): number;
}

interface Frame {
  readonly functionName: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number };
}

/** The main thread answers within milliseconds unless something keeps it; a second signal is not kept waiting. */
const GRACE_MS = 500;
/** What no inspector can interrupt, such as a very long calculation with bigints, is killed. */
const KILL_MS = 2000;

const { answered, signals, own, interrupt } = workerData as WatchedSignals;
const require = createRequire(import.meta.url);
let received = 0;
let isInterrupting = false;

function watch(): void {
  const Handle = signalHandle();
  if (Handle === null) return;
  for (const signal of signals) {
    const handle = new Handle();
    handle.onsignal = () => {
      received++;
      setTimeout(() => interruptMain(signal), received > 1 ? 0 : GRACE_MS);
    };
    handle.start(constants.signals[signal]);
  }
}

/**
 * The class of handles that the main thread's `process.on` uses, too. Node 20 also offers it by `process.binding`, and Node 24 by its
 * internals alone, which this thread is started with. Null if this Node has neither.
 */
function signalHandle(): (new () => SignalHandle) | null {
  try {
    const { internalBinding } = require('internal/test/binding') as {
      internalBinding(name: string): { Signal?: new () => SignalHandle };
    };
    return internalBinding('signal_wrap').Signal ?? null;
  } catch {
    return null;
  }
}

function interruptMain(signal: NodeJS.Signals): void {
  if (isInterrupting || Atomics.load(answered, 0) >= received) return;
  isInterrupting = true;
  setTimeout(() => {
    writeSync(2, `mergemate: ${signal} did not end what was running, so the process was killed\n`);
    process.kill(process.pid, 'SIGKILL');
  }, KILL_MS);
  const { Session: NewSession } = require('node:inspector') as { Session: new () => Session };
  const session = new NewSession();
  session.connectToMainThread();
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }: { params: { scriptId: string; url: string } }) => {
    urls.set(params.scriptId, params.url);
  });
  session.on('Debugger.paused', ({ params }: { params: { callFrames: Frame[] } }) => {
    const where = JSON.stringify(runningIn(params.callFrames, urls));
    const expression = `globalThis[Symbol.for(${JSON.stringify(interrupt)})]('${signal}', ${where})`;
    session.post('Runtime.evaluate', { expression }, () => {
      session.post('Debugger.disable', () => {
        // A connected inspector keeps the process from its end.
        session.post('Runtime.terminateExecution', () => {
          session.disconnect();
          Atomics.store(answered, 1, 1);
        });
      });
    });
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

/** The innermost function of a module that is not this program, as " in moves (game.ts, line 21)"; empty if there is none. */
function runningIn(frames: readonly Frame[], urls: ReadonlyMap<string, string>): string {
  for (const { functionName, location } of frames) {
    const path = (urls.get(location.scriptId) ?? '').replace(/^file:\/\//, '');
    if (path === '' || /^node:|[/\\]node_modules[/\\]/.test(path) || path.startsWith(own)) continue;
    const file = decodeURIComponent(path.replace(/^.*[/\\]/, ''));
    return ` in ${functionName || 'a function'} (${file}, line ${location.lineNumber + 1})`;
  }
  return '';
}

watch();
// Behind it, nothing is missed.
parentPort?.postMessage('watching');
