/** python-chess, a library with a reader of its own: where `python3` finds its module `chess`, by PYTHONPATH if need be. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const PYTHON_CHESS = spawnSync('python3', ['-c', 'import chess.syzygy']).status === 0;

/** Values by FEN: outcome (0 lost ... 4 won) and plies to a zeroing move, 0 for draws. Half a millisecond a position. */
export function askPythonChess(
  folder: string,
  fens: readonly string[],
): { outcome: number; plies: number }[] {
  if (fens.length === 0) return [];
  const output = execFileSync('python3', [join(import.meta.dirname, 'python-probe.py'), folder], {
    input: fens.map((fen) => `${fen}\n`).join(''),
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
  });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [outcome, plies] = line.split(' ').map(Number);
      return { outcome, plies };
    });
}
