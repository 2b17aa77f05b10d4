/**
 * Part of `npm run build`: compiles kernels written in AssemblyScript to WebAssembly and puts the code in TypeScript
 * modules of base64 text, which are found wherever their importers are: in the sources, in dist/ and in worker threads.
 * A folder FOLDER/assembly with a file kernels.ts becomes the module FOLDER/wasm-code.ts, which also has the types of all exports. With
 * `--if-newer`, only folders with a source newer than their module are compiled.
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const options = ['--runtime', 'stub', '-O3', '--noAssert', '--enable', 'simd', '--outFile', 'kernels.wasm'];
options.push('--bindings', 'raw');

/**
 * Nodes of a function that is copied into all of its callers, and of one that has a single caller. The compiler's own limits, 70 and
 * 200, leave calls in the loops that strike sets; V8 copies nothing between functions of WebAssembly.
 */
const INLINED = 400;
const INLINED_ONCE = 1000;

/** Threads use the memory of these kernels by turns. So the kernels import it and write nothing to it before they are called. */
const BY_TURNS = [
  ...['--importMemory', '--zeroFilledMemory', '--sharedMemory', '--maximumMemory', '65536'],
  ...['--enable', 'threads'],
];

const folders = ['operators', 'pipeline'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(join('assembly', 'kernels.ts')))
    .map((name) => dirname(dirname(join(root, name)))),
);

/** Sources that kernels of several games import. */
const SHARED = 'pipeline/games/assembly';

for (const folder of folders) {
  if (process.argv.includes('--if-newer') && !isNewer(folder)) continue;
  // To load the compiler takes a second.
  const { default: asc } = await import('assemblyscript/asc');
  /** @type {Map<string, string | Uint8Array>} */
  const written = new Map();
  const more = basename(folder) === 'pairing' ? BY_TURNS : [];
  const { error, stderr } = await asc.main([`${folder}/assembly/kernels.ts`, ...options, ...more], {
    writeFile(name, contents) {
      written.set(name, contents);
    },
  });
  if (error) {
    process.stderr.write(stderr.toString());
    throw error;
  }
  const code = await inlined(/** @type {Uint8Array} */ (written.get('kernels.wasm')));
  writeFileSync(
    `${folder}/wasm-code.ts`,
    `/** Made of assembly/ by compile-kernels.js. */\nexport const wasmCode: string =\n  '${Buffer.from(code).toString('base64')}';\n` +
      exportsType(code, String(written.get('kernels.d.ts'))),
  );
}

/**
 * The exports of a module as a type. Addresses and numbers are globals, whose value they have; functions return `bool` as 0 or 1.
 * @param {Uint8Array} code
 * @param {string} declarations of the compiler, with the parameters of functions
 */
function exportsType(code, declarations) {
  const globals = WebAssembly.Module.exports(new WebAssembly.Module(code)).filter(
    ({ kind }) => kind === 'global',
  );
  const functions = [...declarations.matchAll(/export function (.*\)): (\w+);/g)].map(
    ([, call, result]) => `  ${call}: ${result === 'boolean' ? 'number' : result};\n`,
  );
  return (
    `/** Addresses and numbers that the module exports. */\nexport type WasmGlobal = ${globals.map(({ name }) => `'${name}'`).join(' | ') || 'never'};\n` +
    `/** All that the module exports. Parameters are as in assembly/. */\nexport interface WasmExports extends Readonly<Record<WasmGlobal, { readonly value: number }>> {\n${functions.join('')}}\n`
  );
}

/**
 * Whether a source of a folder, or this file, is newer than its module, or there is no module.
 * @param {string} folder
 */
function isNewer(folder) {
  const made = statSync(`${folder}/wasm-code.ts`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [join(folder, 'assembly'), SHARED].flatMap((from) =>
    readdirSync(from).map((name) => join(from, name)),
  );
  return [fileURLToPath(import.meta.url), ...sources].some((source) => statSync(source).mtimeMs > made);
}

/**
 * The same code with more functions inlined.
 * @param {Uint8Array} code
 */
async function inlined(code) {
  const { default: binaryen } = await import('assemblyscript/binaryen');
  const { MutableGlobals, SignExt, NontrappingFPToInt, BulkMemory, BulkMemoryOpt, SIMD128 } =
    binaryen.Features;
  const { Atomics: SharedMemory } = binaryen.Features;
  const module = binaryen.readBinary(code);
  module.setFeatures(
    MutableGlobals | SignExt | NontrappingFPToInt | BulkMemory | BulkMemoryOpt | SIMD128 | SharedMemory,
  );
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
