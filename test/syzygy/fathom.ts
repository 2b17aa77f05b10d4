/** Fathom, the probing code of chess engines (Debian: libfathom-dev and gcc), where it is installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Fathom {
  /** Values by FEN: outcome (0 lost ... 4 won) and plies to a zeroing move, 0 for draws and where no move is legal. */
  probe(folder: string, fens: readonly string[]): { outcome: number; plies: number }[];
  remove(): void;
}

/** Null where it cannot be compiled. */
export function buildFathom(): Fathom | null {
  const folder = mkdtempSync(join(tmpdir(), 'mergemate-fathom-'));
  const program = join(folder, 'probe');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const source = join(import.meta.dirname, 'fathom-probe.c');
  if (spawnSync('cc', ['-O1', '-o', program, source, '-lfathom']).status !== 0) {
    remove();
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
