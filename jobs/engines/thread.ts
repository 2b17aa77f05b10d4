/** Threads of the built program. */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { programFile } from '../cli/files.js';
import { io, processIo } from '../cli/io.js';

/** Starts a thread, which prints where the command prints. @param file its name in the folder of the built program. */
export function newThread(file: string, options: WorkerOptions): Worker {
  // Node itself passes what threads print on to the streams of the process.
  if (io === processIo) return new Worker(programFile(file), options);
  const thread = new Worker(programFile(file), { ...options, stdout: true, stderr: true });
  thread.stdout.pipe(io.out, { end: false });
  thread.stderr.pipe(io.err, { end: false });
  return thread;
}
