/**
 * Part of `npm run build`: compiles kernels written in AssemblyScript to WebAssembly and puts the code in TypeScript
 * modules of base64 text, which are found wherever their importers are: in the sources, in dist/ and in worker threads.
 */
import { writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const options = ['--runtime', 'stub', '-O3', '--noAssert', '--enable', 'simd', '--outFile', 'kernels.wasm'];

const folders = [
  'pipeline/games/chess',
  'pipeline/games/chess/syzygy',
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
  writeFileSync(
    `${folder}/wasm-code.ts`,
    `/** Made of assembly/ by compile-kernels.js. */\nexport const wasmCode: string =\n  '${Buffer.from(code).toString('base64')}';\n`,
  );
}
