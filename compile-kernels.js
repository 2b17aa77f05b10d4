/**
 * Part of `npm run build`: compiles kernels written in AssemblyScript to WebAssembly and puts the code in TypeScript
 * modules of base64 text, which are found wherever their importers are: in the sources, in dist/ and in worker threads.
 */
import { writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';
import binaryen from 'assemblyscript/binaryen';

const options = ['--runtime', 'stub', '-O3', '--noAssert', '--enable', 'simd', '--outFile', 'kernels.wasm'];

/**
 * Nodes of a function that is copied into all of its callers, and of one that has a single caller. The compiler's own limits, 70 and
 * 200, leave calls in the loops that strike sets; V8 copies nothing between functions of WebAssembly.
 */
const INLINED = 200;
const INLINED_ONCE = 1000;

const folders = [
  'operators/sort',
  'pipeline/games/chess',
  'pipeline/games/chess/syzygy',
  'pipeline/games/chess/syzygy/checksum',
  'pipeline/games/checkers',
  'pipeline/rivals/bitboard',
];

for (const folder of folders) {
  /** @type {Uint8Array} */
  let code = new Uint8Array(0);
  const { error, stderr } = await asc.main([`${folder}/assembly/kernels.ts`, ...options], {
    writeFile(_name, contents) {
      code = contents;
    },
  });
  if (error) {
    process.stderr.write(stderr.toString());
    throw error;
  }
  code = inlined(code);
  writeFileSync(
    `${folder}/wasm-code.ts`,
    `/** Made of assembly/ by compile-kernels.js. */\nexport const wasmCode: string =\n  '${Buffer.from(code).toString('base64')}';\n`,
  );
}

/**
 * The same code with more functions inlined.
 * @param {Uint8Array} code
 */
function inlined(code) {
  const { MutableGlobals, SignExt, NontrappingFPToInt, BulkMemory, BulkMemoryOpt, SIMD128 } =
    binaryen.Features;
  const module = binaryen.readBinary(code);
  module.setFeatures(MutableGlobals | SignExt | NontrappingFPToInt | BulkMemory | BulkMemoryOpt | SIMD128);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAllowInliningFunctionsWithLoops(true);
  binaryen.setFlexibleInlineMaxSize(INLINED);
  binaryen.setOneCallerInlineMaxSize(INLINED_ONCE);
  module.runPasses(['inlining-optimizing']);
  module.optimize();
  const optimized = module.emitBinary();
  module.dispose();
  return optimized;
}
