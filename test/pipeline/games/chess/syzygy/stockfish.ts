/** Stockfish (Debian: stockfish) with a folder of files, where it is installed. */
import { spawn, spawnSync } from 'node:child_process';

export const STOCKFISH = ['stockfish', '/usr/games/stockfish'].find(
  (name) => spawnSync(name, { input: 'quit\n' }).status === 0,
);
export interface Said {
  readonly hits: number;
  /** Centipawns for the side to move; mates count 100,000. */
  readonly score: number;
  readonly move: string;
}

/** Wins by tables are given as some 88 pawns (VALUE_TB_WIN, scaled), cursed ones and draws as less than one. */
const WON = 5_000;

/** The meaning of a score. */
export function saidBy({ score }: Said): 'win' | 'draw' | 'loss' {
  return score >= WON ? 'win' : score <= -WON ? 'loss' : 'draw';
}

/** Stockfish with a folder of files. */
export function openEngine(folder: string) {
  const engine = spawn(STOCKFISH!, { stdio: ['pipe', 'pipe', 'inherit'] });
  engine.stdout.setEncoding('utf8');
  let lines: string[] = [];
  let rest = '';
  let heard = () => {};
  engine.stdout.on('data', (text: string) => {
    const all = (rest + text).split('\n');
    rest = all.pop()!;
    lines.push(...all);
    heard();
  });

  /** The lines up to one that begins so. */
  async function until(word: string): Promise<string[]> {
    for (;;) {
      const end = lines.findIndex((line) => line.startsWith(word));
      if (end >= 0) {
        const some = lines.slice(0, end + 1);
        lines = lines.slice(end + 1);
        return some;
      }
      await new Promise<void>((resolve) => (heard = resolve));
    }
  }

  const send = (...commands: string[]) => engine.stdin.write(commands.map((each) => `${each}\n`).join(''));
  send('uci', 'setoption name Hash value 16', `setoption name SyzygyPath value ${folder}`, 'isready');
  return {
    ready: () => until('readyok'),
    async ask(fen: string): Promise<Said> {
      send('ucinewgame', `position fen ${fen}`, 'go depth 1');
      const answered = await until('bestmove');
      const line = answered.filter((each) => each.includes(' score ')).at(-1)!;
      const [, kind, score] = / score (cp|mate) (-?\d+)/.exec(line)!;
      return {
        hits: Number(/ tbhits (\d+)/.exec(line)?.[1] ?? 0),
        score: kind === 'mate' ? Math.sign(Number(score)) * 100_000 : Number(score),
        move: answered.at(-1)!.split(' ')[1],
      };
    },
    close: () => engine.kill(),
  };
}
