/** An engine that runs tasks as child processes of this one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { ALLOCATOR } from '../allocator.js';
import { tidyAtExit } from '../exit.js';
import { lastLine, makeLogFolder, phaseName, type StepProgram, stepCommand } from './step-command.js';
import type { StepEngine, StepPhase } from './step-engine.js';

export interface ProcessesOptions extends StepProgram {
  /** Tasks that run at once. */
  readonly concurrency: number;
  /** Where the output of each task is kept, in a file of its own; null for nowhere. */
  readonly logFolder: string | null;
}

/** Enough of a task's output to have its last line. */
const TAIL = 4096;

export function processesEngine(options: ProcessesOptions): StepEngine {
  const running = new Set<ChildProcess>();
  // They answer SIGTERM at once and remove their scratch files.
  const stop = tidyAtExit(() => {
    for (const child of running) child.kill('SIGTERM');
  });
  let closed = false;

  function runTask(phase: StepPhase, task: number): Promise<string | null> {
    const { before, after } = stepCommand(options, phase);
    const [program, ...args] = [...before, String(task), ...after];
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...ALLOCATOR, ...options.env },
    });
    running.add(child);
    let tail = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-TAIL)));
    if (options.logFolder === null) child.stdout.resume();
    else {
      const log = createWriteStream(join(options.logFolder, `${phaseName(phase)}-${task}.log`), {
        flags: 'a',
      });
      // A log that cannot be written is no reason to give up the work.
      log.on('error', () => {});
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => log.write(text));
      child.on('close', () => log.end());
    }
    return new Promise((resolve) => {
      child.on('error', (error) => {
        running.delete(child);
        resolve(`cannot be started: ${error.message}`);
      });
      child.on('close', (code, signal) => {
        running.delete(child);
        if (signal !== null) resolve(`killed by ${signal}`);
        else resolve(code === 0 ? null : (lastLine(tail) ?? `ended with code ${code}`));
      });
    });
  }

  return {
    name: 'processes',
    lookAhead: 1,
    async run(phases, report) {
      makeLogFolder(options.logFolder);
      for (const phase of phases) {
        const tasks = phase.tasks.values();
        const work = async () => {
          for (const task of tasks) {
            if (closed) return;
            report({ type: 'started', phase, task });
            report({ type: 'ended', phase, task, problem: await runTask(phase, task) });
          }
        };
        await Promise.all(Array.from({ length: options.concurrency }, work));
        if (closed || (await phase.missing()).length > 0) return;
      }
    },
    async close() {
      closed = true;
      const ends = [...running].map((child) => new Promise((resolve) => child.on('close', resolve)));
      stop();
      await Promise.all(ends);
    },
  };
}
