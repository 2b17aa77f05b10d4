/** A UCI client: it sends commands to an engine and waits for the lines that answer them. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface Bestmove {
  readonly move: string;
  /** The lines before it. */
  readonly info: readonly string[];
}

export class UciEngine {
  private readonly child: ChildProcess;
  private readonly lines: string[] = [];
  private rest = '';
  private heard = (): void => {};

  /** @param cwd the folder in which it runs. */
  constructor(command: string, args: readonly string[], cwd?: string) {
    this.child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      ...(cwd !== undefined && { cwd }),
    });
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      const all = (this.rest + text).split('\n');
      this.rest = all.pop()!;
      this.lines.push(...all);
      this.heard();
    });
  }

  send(...commands: string[]): void {
    this.child.stdin!.write(commands.map((each) => `${each}\n`).join(''));
  }

  /** The lines up to one that begins so. */
  async until(word: string): Promise<string[]> {
    for (;;) {
      const end = this.lines.findIndex((line) => line.startsWith(word));
      if (end >= 0) return this.lines.splice(0, end + 1);
      await new Promise<void>((resolve) => (this.heard = resolve));
    }
  }

  async begin(): Promise<string[]> {
    this.send('uci');
    const said = await this.until('uciok');
    this.send('ucinewgame', 'isready');
    await this.until('readyok');
    return said;
  }

  async go(position: string, how: string): Promise<Bestmove> {
    this.send(`position ${position}`, `go ${how}`);
    const info = await this.until('bestmove');
    return { info: info.slice(0, -1), move: info.at(-1)!.split(' ')[1] };
  }

  quit(): Promise<number | null> {
    this.send('quit');
    return new Promise((resolve) => this.child.on('close', resolve));
  }
}
