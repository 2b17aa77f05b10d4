/**
 * Fathom, the probing code of chess engines: where it is installed (Debian: libfathom-dev and gcc), or by its source, whose folder is
 * MERGEMATE_TEST_FATHOM (https://github.com/jdart1/Fathom).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Fathom {
  /** Values by FEN: outcome (0 lost ... 4 won) and plies to a zeroing move, 0 for draws and where no move is legal. */
  probe(folder: string, fens: readonly string[]): { outcome: number; plies: number }[];
  remove(): void;
}

/** Null where it is not installed. Throws if the source that MERGEMATE_TEST_FATHOM names cannot be compiled. */
export function buildFathom(): Fathom | null {
  const folder = mkdtempSync(join(tmpdir(), 'mergemate-fathom-'));
  const program = join(folder, 'probe');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const own = process.env.MERGEMATE_TEST_FATHOM;
  const library =
    own === undefined ? ['-lfathom'] : [`-I${join(own, 'src')}`, join(own, 'src', 'tbprobe.c'), '-pthread'];
  const source = resolve('test/pipeline/games/chess/syzygy/fathom-probe.c');
  if (spawnSync('cc', ['-O1', '-o', program, source, ...library]).status !== 0) {
    remove();
    if (own !== undefined)
      throw new Error(`MERGEMATE_TEST_FATHOM: ${join(own, 'src', 'tbprobe.c')} cannot be compiled`);
    return null;
  }
  return {
    remove,
    probe(tables, fens) {
      const input = fens.map((fen) => `${fen}\n`).join('');
      const lines = execFileSync(program, [tables], { input, maxBuffer: 2 ** 30, encoding: 'utf8' });
      return lines
        .trimEnd()
        .split('\n')
        .map((line) => {
          const [outcome, plies] = line.split(' ').map(Number);
          return { outcome, plies };
        });
    },
  };
}
