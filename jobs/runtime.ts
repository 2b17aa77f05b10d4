/** Settings of the runtime for commands that work long. */
import { optimizeLeast, optimizeLess } from './compilation.js';
import { keepHeapSmall } from './heap.js';

/**
 * Sets flags of V8, best once all threads have loaded the program. Node's own modules are compiled ahead for the flags that V8 has
 * by itself. With other flags each thread compiles them again, which takes 10 to 20 ms.
 */
export function settleRuntime(workers: number): void {
  keepHeapSmall();
  optimizeLess();
  if (workers > 1) optimizeLeast();
}
