/**
 * When the runtime compiles JavaScript. A solve runs the same few loops for seconds or for days, and those are
 * WebAssembly or run for long. V8 optimizes far more than that, again and again. By default a solve of ten seconds
 * spends a quarter of its CPU time on optimizing (docs/lab/compilation.md).
 */
import { setFlagsFromString } from 'node:v8';
import { keepHeapSmall } from './heap.js';

/**
 * How long a function runs between two looks at whether to optimize it, some 15 times as long as by V8 itself. V8 12 (Node 22) and
 * later count it in calls, earlier ones in bytes of bytecode; each refuses the flags of the other.
 */
const LOOKS =
  Number.parseInt(process.versions.v8, 10) < 12
    ? ['--interrupt-budget=1000000']
    : ['--invocation-count-for-turbofan=45000', '--invocation-count-for-maglev=6000'];

/** Sets flags for this thread and all started after: code is compiled at once, simply, and optimized only after a long run. */
export function optimizeLess(): void {
  for (const flag of ['--always-sparkplug', ...LOOKS]) setFlagsFromString(flag);
}

/**
 * As {@link optimizeLess}, after twice as much work, where several threads run the kernels of a built-in game. Each has
 * its functions optimized for itself, and takes a core away from the others for it. Rules in JavaScript would lose by it.
 */
function optimizeLeast(): void {
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=2000000');
}

/**
 * Sets flags of V8, best once all threads have loaded the program. Node's own modules are compiled ahead for the flags that V8 has
 * by itself. With other flags each thread compiles them again, which takes 10 to 20 ms.
 */
export function settleRuntime(workers: number): void {
  keepHeapSmall();
  optimizeLess();
  if (workers > 1) optimizeLeast();
}
