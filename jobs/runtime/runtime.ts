/**
 * When the runtime compiles JavaScript. A solve runs the same few loops for seconds or for days, and those are
 * WebAssembly or run for long. V8 optimizes far more than that, again and again. By default a solve of ten seconds
 * spends a quarter of its CPU time on optimizing (docs/lab/compilation.md).
 */
import { setFlagsFromString } from 'node:v8';
import { keepHeapSmall } from './heap.js';

/** What runs for long: kernels in WebAssembly, or rules in a user's module. */
type Rules = 'kernels' | 'script';

/**
 * How long a function runs between two looks at whether to optimize it: some 15 times as long as by V8 itself, and where rules are script
 * four times, or twice. V8 12 (Node 22) and later count it in calls, earlier ones in bytes of bytecode; each refuses the flags of the other.
 */
const LOOKS: Readonly<Record<Rules, readonly string[]>> =
  Number.parseInt(process.versions.v8, 10) < 12
    ? { kernels: ['--interrupt-budget=1000000'], script: ['--interrupt-budget=300000'] }
    : {
        kernels: ['--invocation-count-for-turbofan=45000', '--invocation-count-for-maglev=6000'],
        script: ['--invocation-count-for-turbofan=6000', '--invocation-count-for-maglev=800'],
      };

/** Sets flags for this thread and all started after: code is compiled at once, simply, and optimized only after a long run. */
export function optimizeLess(rules: Rules = 'kernels'): void {
  for (const flag of ['--always-sparkplug', ...LOOKS[rules]]) setFlagsFromString(flag);
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
export function settleRuntime(workers: number, rules: Rules = 'kernels'): void {
  keepHeapSmall();
  optimizeLess(rules);
  if (workers > 1) optimizeLeast();
}
