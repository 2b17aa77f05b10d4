#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 node
/**
 * The command line: `mergemate COMMAND …`. The settings above have the C library give freed buffers back to the
 * system and keep one heap for all threads. Without them everything works, and the process holds some 20 MiB more.
 */
import { builtIn } from '../pipeline/games/built-in.js';
import { ExitCode, watchProcess } from './cli/exit.js';
import { processIo } from './cli/io.js';
import { DEFAULT_SETTINGS, type SettingValues } from './cli/settings.js';
import { type Asked, run } from './command-line.js';
import { startCoordinator } from './engines/coordinator.js';
import { settleRuntime } from './runtime/runtime.js';
import { watchForStuckRules } from './stuck-rules.js';
import { isGameModule } from './user-game.js';

/** Threads of workers that are started before anybody has looked at the machine. */
const MOST_AHEAD = 8;

/** Starts the thread that works, so that it and this one load their parts at the same time. */
function startAhead({ command, words, flags }: Asked): void {
  const [game = ''] = words;
  const { engine, workers } = { ...DEFAULT_SETTINGS, ...flags } as SettingValues;
  // Sets of Syzygy files have threads of their own, which solve, write and verify.
  const isSolvedThere = engine === 'local' && flags.syzygy === undefined;
  const works = command === 'rank' || (command === 'solve' && isSolvedThere);
  if (works && Object.hasOwn(builtIn, game))
    startCoordinator({ game, workers: Math.min(workers, MOST_AHEAD) });
  // The thread that watches rules starts under V8's own flags: by others Node's modules are compiled again, in 50 ms of CPU time.
  else if (isGameModule(game)) void watchForStuckRules().then(() => settleRuntime(1, 'script'));
  else settleRuntime(1);
}

watchProcess();
const code = await run(process.argv.slice(2), processIo, startAhead);
// Where it is 0, one that a user's module has set stays, and is reported at the exit.
if (code !== ExitCode.ok) process.exitCode = code;
