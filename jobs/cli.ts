#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 node
/**
 * The command line: `mergemate COMMAND …`. The settings above have the C library give freed buffers back to the system
 * and keep one heap for all threads; without them everything works and the process holds some 20 MiB more.
 */
import { runCommand } from './command-line.js';
import { optimizeLess } from './compilation.js';
import { watchProcess } from './exit.js';
import { keepHeapSmall } from './heap.js';

keepHeapSmall();
optimizeLess();
watchProcess();
await runCommand(process.argv.slice(2));
