#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 node
/**
 * The command line: `mergemate COMMAND …`. The settings above have the C library give freed buffers back to the
 * system and keep one heap for all threads. Without them everything works, and the process holds some 20 MiB more.
 */
import { builtIn } from '../pipeline/games/built-in.js';
import { runCommand } from './command-line.js';
import { optimizeLess } from './compilation.js';
import { startCoordinator } from './engines/coordinator.js';
import { watchProcess } from './exit.js';
import { keepHeapSmall } from './heap.js';

keepHeapSmall();
optimizeLess();
watchProcess();
const words = process.argv.slice(2);
const [command, game] = words;
const works =
  command === 'rank' || (command === 'solve' && !words.some((word) => word.startsWith('--engine')));
// Thread and process load their parts at the same time.
if (works && game in builtIn) startCoordinator(game);
await runCommand(words);
