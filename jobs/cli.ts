#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 node
/**
 * The command line: `mergemate COMMAND …`. The settings above have the C library give freed buffers back to the
 * system and keep one heap for all threads. Without them everything works, and the process holds some 20 MiB more.
 */
import { builtIn } from '../pipeline/games/built-in.js';
import { runCommand } from './command-line.js';
import { startCoordinator } from './engines/coordinator.js';
import { watchProcess } from './exit.js';
import { settleRuntime } from './runtime.js';

watchProcess();
const words = process.argv.slice(2);
const [command, game] = words;
/** Threads that are started for a number that nobody has looked at yet. */
const MOST_AHEAD = 8;
const works =
  command === 'rank' || (command === 'solve' && !words.some((word) => word.startsWith('--engine')));
// Thread and process load their parts at the same time.
if (works && game in builtIn) {
  startCoordinator({ game, workers: command === 'solve' ? workersIn(words) : 1 });
} else settleRuntime(1);
await runCommand(words);

/** The number behind `--workers`, or 1 where there is none that a solve could have. */
function workersIn(words: readonly string[]): number {
  const workers = Number(words[words.indexOf('--workers') + 1]);
  return Number.isInteger(workers) && workers > 0 && workers <= MOST_AHEAD ? workers : 1;
}
