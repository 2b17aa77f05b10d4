/**
 * When the runtime compiles JavaScript. A solve runs the same few loops for seconds or for days, and those are WebAssembly or run
 * for long. V8 optimizes far more than that, again and again: by default a quarter of the CPU time of a solve of ten
 * seconds goes into optimizing (docs/speed.md).
 */
import { setFlagsFromString } from 'node:v8';

/** Bytes of bytecode that a function runs through between two looks at whether to optimize it; V8's own is 67,584. */
const BYTES_BETWEEN_LOOKS = 1_000_000;

/** Sets flags for this thread and all started after: code is compiled at once, simply, and optimized only after a long run. */
export function optimizeLess(): void {
  setFlagsFromString('--always-sparkplug');
  setFlagsFromString(`--interrupt-budget=${BYTES_BETWEEN_LOOKS}`);
}
