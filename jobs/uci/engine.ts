/**
 * The engine of `mergemate uci`, line by line. A `go` is answered while further lines are read, because the first look into a large Syzygy
 * file checks all of it: `isready` is answered meanwhile, everything else waits for its turn.
 */
import { UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game/game.js';
import { parseManyMen } from '../../pipeline/games/chess/fen.js';
import { splitMoves } from '../../pipeline/games/chess/move-tail.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { errorText } from '../cli/error-text.js';
import { print } from '../cli/output.js';
import { version } from '../cli/version.js';
import { ChessPosition } from '../notation/chess-position.js';
import { CHESS } from '../notation/first-positions.js';
import { noteCostOf } from '../plan/advice.js';
import type { LookupFlags } from '../solved/open-prober.js';
import { declared, optionsOf, readOption, type Settings } from './options.js';
import { scoreText } from './score.js';
import { type Found, type FoundMove, isReported, NotFoundError, Sources } from './sources.js';

/** What may follow `go`; the moves of `searchmoves` end where another of these begins. */
const GO_WORDS = new Set(
  'searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite'.split(' '),
);
const COMMANDS = new Set(
  'uci isready ucinewgame setoption position go stop ponderhit quit debug register'.split(' '),
);
/** For the lines of a `go` behind their first moves, in ms at most: in games, also of the time left on the clock, and in analysis. */
const LINE_MS = 250;
const LINE_SHARE = 1 / 40;
const ANALYSIS_MS = 1000;
/** CPU that the cost of a missing table may take, in ms: the clock of a game runs. */
const COST_MS = 300;
/** Plies of a line at most. */
const LONGEST_LINE = 1200;

/** A move, and the reply that the engine expects, if any. The move is null in a finished game, and "0000" where the position is not known. */
interface Best {
  readonly move: string | null;
  readonly reply?: string | undefined;
}

/** The lines about the moves of a position, and the one to play. */
interface Answer extends Best {
  readonly info: string;
}

export class Engine {
  private readonly settings: Settings;
  private readonly options: ReturnType<typeof optionsOf>;
  private readonly sources: Sources;
  /** Troubles that were reported since places were last set. */
  private readonly said = new Set<string>();
  /** Null behind a `position` that could not be read. */
  private position: ChessPosition | null = ChessPosition.read(CHESS);
  /** How often each position has stood on the board, as far as `position` gives the moves of the game, by {@link placed}. */
  private stood: ReadonlyMap<string, number> = new Map();
  /** A move that is kept until `stop` or, if `untilHit`, until `ponderhit`. */
  private kept: (Answer & { readonly untilHit: boolean }) | null = null;
  /** The `go` that is being answered; settled if none is. */
  private answering: Promise<void> = Promise.resolve();

  constructor(
    private readonly game: Game,
    flags: LookupFlags,
  ) {
    this.settings = {
      hash: Math.max(1, Math.round(flags.cache / 2 ** 20)),
      multipv: 1,
      showWdl: false,
      rule50: true,
      syzygyPath: [flags.syzygy ?? []].flat().join(''),
      // On the command line the places exclude each other.
      store: flags.syzygy === undefined && flags.published === undefined ? flags.store : '',
    };
    this.options = optionsOf(this.settings);
    this.sources = new Sources(game, flags);
    this.sources.open(this.settings);
  }

  /** Obeys a line. Returns false behind `quit`. */
  async obey(line: string): Promise<boolean> {
    // The protocol has engines pass over words that they do not know.
    const all = line.trim().split(/\s+/);
    const at = all.findIndex((word) => COMMANDS.has(word.toLowerCase()));
    if (at < 0) return true;
    const command = all[at].toLowerCase();
    const words = all.slice(at + 1);
    if (command === 'isready') {
      await print('readyok\n');
      return true;
    }
    await this.answering;
    if (command === 'quit') return false;
    try {
      await this.do(command, words, line);
    } catch (error) {
      if (!isReported(error)) throw error;
      await this.say([errorText(error)]);
    }
    return true;
  }

  /** Waits until all is answered. */
  idle(): Promise<void> {
    return this.answering;
  }

  private async do(command: string, words: readonly string[], line: string): Promise<void> {
    switch (command) {
      case 'uci':
        await print(
          `id name mergemate ${version}\nid author the authors of mergemate\n${this.options.map((option) => `${declared(option)}\n`).join('')}uciok\n`,
        );
        return this.say(await this.sources.troubles());
      case 'setoption':
        return this.setOption(line.slice(line.toLowerCase().indexOf('setoption') + 'setoption'.length));
      case 'position':
        return this.setPosition(words.join(' '));
      case 'go':
        // Every go has a bestmove of its own.
        await this.sayKept();
        this.answering = this.go(words);
        return;
      case 'stop':
        return this.sayKept();
      case 'ponderhit':
        return this.kept?.untilHit ? this.sayKept() : undefined;
      // There is nothing to do for ucinewgame.
    }
  }

  private async setOption(text: string): Promise<void> {
    const { option, value } = readOption(text, this.options);
    if (option.type === 'button') return this.sources.open(this.settings);
    if (option.sets === undefined) return;
    Object.assign(this.settings, { [option.sets]: value });
    if (!['hash', 'store', 'syzygyPath'].includes(option.sets)) return;
    this.sources.open(this.settings);
    if (option.sets === 'hash') return;
    this.said.clear();
    await this.say(await this.sources.troubles());
  }

  private async say(troubles: readonly string[]): Promise<void> {
    const lines = troubles.flatMap((text) => text.split('\n'));
    for (const line of lines) this.said.add(line);
    await print(lines.map((line) => `info string ${line}\n`).join(''));
  }

  private setPosition(text: string): void {
    // An answer from the previous position would be a move in another game.
    this.position = null;
    const { start, moves } = splitMoves(text);
    const [kind, ...fen] = start.split(' ');
    if (kind !== 'startpos' && kind !== 'fen')
      throw new UserError('position needs "startpos" or "fen", and then the moves');
    let position = ChessPosition.read(kind === 'startpos' ? start : fen.join(' '));
    const stood = new Map([[placed(position.fen), 1]]);
    for (const move of moves) {
      try {
        position = position.play(move).after as ChessPosition;
      } catch (error) {
        throw new UserError((error as Error).message);
      }
      const place = placed(position.fen);
      stood.set(place, (stood.get(place) ?? 0) + 1);
    }
    this.position = position;
    this.stood = stood;
  }

  private async go(words: readonly string[]): Promise<void> {
    const answer = await this.answer(words);
    await print(answer.info);
    const isInfinite = words.includes('infinite');
    if (isInfinite || words.includes('ponder')) this.kept = { ...answer, untilHit: !isInfinite };
    else await sayMove(answer);
  }

  private async sayKept(): Promise<void> {
    const { kept } = this;
    this.kept = null;
    if (kept === null) return;
    // Clients that ponder drop what they read before ponderhit.
    await print(kept.info);
    await sayMove(kept);
  }

  private async answer(words: readonly string[]): Promise<Answer> {
    const { position } = this;
    if (position === null)
      return { info: 'info string the last position could not be read: no move is played\n', move: '0000' };
    const allowed = searchmovesOf(words)?.flatMap((move) => legalName(position, move)) ?? null;
    if (allowed?.length === 0)
      return { info: 'info string none of searchmoves is a legal move\n', move: '0000' };
    try {
      const board = this.boardOf(position);
      const found = await this.sources.probe(board);
      const legal = found.moves.filter(({ uci }) => allowed?.includes(uci) ?? true);
      const moves = this.forwardFirst(legal);
      const lines = found.troubles.filter((trouble) => !this.said.has(trouble));
      for (const line of lines) this.said.add(line);
      const { info, reply } = await this.linesOf(
        found,
        moves,
        performance.now() + lineTime(words, this.game.mover(board)),
      );
      const said = [...lines, ...reservations(found)].map((line) => `info string ${line}\n`).join('');
      return { info: said + info, move: moves[0]?.uci ?? null, reply };
    } catch (error) {
      if (!isReported(error)) throw error;
      await noteCostOf(error, COST_MS);
      // A game goes on all the same: any legal move is better than none.
      const [any = null] = allowed ?? position.moves();
      const troubles = error instanceof NotFoundError ? error.troubles : [errorText(error)];
      return { info: troubles.map((trouble) => `info string ${trouble}\n`).join(''), move: any };
    }
  }

  /** A root may have more men than the tables of any ending. Throws UserError. */
  private boardOf({ fen }: ChessPosition): ChessBoard {
    try {
      return parseManyMen(fen);
    } catch (error) {
      // Of a position at the beginning of a game, the number of men says more than the rights to castle.
      this.game.parse(fen);
      throw error;
    }
  }

  /** A line of `info` for each of the first moves, each with the line of play that follows it. @param until when these must end. */
  private async linesOf(
    { metric, wdl }: Found,
    moves: readonly FoundMove[],
    until: number,
  ): Promise<{ readonly info: string; readonly reply?: string | undefined }> {
    if (moves.length === 0) return { info: `info depth 0 score ${wdl === 'loss' ? 'mate 0' : 'cp 0'}\n` };
    const began = performance.now();
    let info = '';
    let reply: string | undefined;
    for (const [i, move] of moves.slice(0, this.settings.multipv).entries()) {
      const line = await this.lineFrom(move, until);
      if (i === 0) reply = line[1];
      const score = scoreText(move, metric, this.settings);
      const time = Math.round(performance.now() - began);
      info += `info depth 1 seldepth ${line.length} multipv ${i + 1} score ${score} nodes ${moves.length} tbhits ${moves.length + 1} time ${time} pv ${line.join(' ')}\n`;
    }
    return { info, reply };
  }

  /** Best play from a move to the end of the game; less if a table is missing, distances are not known or only bounded, or the time is up. */
  private async lineFrom(first: FoundMove, until: number): Promise<string[]> {
    const line = [first.uci];
    let last = first;
    while (
      last.plies !== null &&
      last.most === undefined &&
      last.wdl !== 'draw' &&
      line.length < LONGEST_LINE &&
      this.game.terminal(last.board) === 'open'
    ) {
      const next = await before(until, this.sources.probe(last.board)).catch((error) => {
        if (!isReported(error)) throw error;
        return null;
      });
      const best = next?.moves[0];
      if (best === undefined) break;
      line.push(best.uci);
      last = best;
    }
    return line;
  }

  /**
   * Orders winning moves whose plies are unknown so that the game gets on: first those after which, and after any reply to which, the
   * position has stood on the board least often; of these first captures and pawn moves, which nobody can take back. Mates stand
   * before all of them, by a better category.
   */
  private forwardFirst(moves: readonly FoundMove[]): readonly FoundMove[] {
    const best = moves.at(0);
    if (best === undefined || best.plies !== null || !best.category?.endsWith('win')) return moves;
    const wins = moves.filter(({ category }) => category === best.category);
    const rated = wins.map((move) => {
      const after = ChessPosition.read(this.game.format(move.board));
      const next = [after, ...after.moves().map((reply) => after.play(reply).after)];
      const times = Math.max(...next.map(({ fen }) => this.stood.get(placed(fen)) ?? 0));
      const isForGood = this.game.clock?.(move.board) === 0;
      return { move, rating: 2 * times + (isForGood ? 0 : 1) };
    });
    rated.sort((a, b) => a.rating - b.rating);
    return [...rated.map(({ move }) => move), ...moves.slice(wins.length)];
  }
}

/** What the scores of a position leave out: that it has bounds only, or the value of a game with fewer promotions. */
function reservations({ most, promotions, verdict }: Found): string[] {
  if (most !== undefined)
    return [`only bounds are known, because positions without a table can be reached: ${verdict}`];
  return promotions === undefined ? [] : [verdict];
}

/** A position without its counters: what a repetition repeats. */
const placed = (fen: string): string => fen.split(' ', 4).join(' ');

function sayMove({ move, reply }: Best): Promise<void> {
  return print(`bestmove ${move ?? '(none)'}${reply === undefined ? '' : ` ponder ${reply}`}\n`);
}

/** What a promise resolves to, or null if it takes until a time by `performance.now`. A later error of it is ignored. */
async function before<T>(until: number, promise: Promise<T>): Promise<T | null> {
  const left = until - performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, left));
  });
  promise.catch(() => {});
  try {
    return left <= 0 ? null : await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long the lines may take, in ms: less than usual if the clock or `movetime` says so. */
function lineTime(words: readonly string[], mover: string): number {
  const numberAfter = (word: string): number => {
    const at = words.indexOf(word);
    const value = at < 0 ? Number.NaN : Number(words[at + 1]);
    return Number.isFinite(value) ? Math.max(0, value) : Number.POSITIVE_INFINITY;
  };
  const movetime = numberAfter('movetime');
  const clock = numberAfter(mover === 'white' ? 'wtime' : 'btime');
  const isGame = Number.isFinite(Math.min(movetime, clock));
  return Math.min(isGame ? LINE_MS : ANALYSIS_MS, movetime, clock * LINE_SHARE);
}

/** The moves that a `go` restricts itself to; null if it does not. */
function searchmovesOf(words: readonly string[]): readonly string[] | null {
  const at = words.indexOf('searchmoves');
  if (at < 0) return null;
  const rest = words.slice(at + 1);
  const end = rest.findIndex((word) => GO_WORDS.has(word));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The name of a move as the tables have it; empty if it is not legal. */
function legalName(position: ChessPosition, move: string): string[] {
  try {
    const { uci } = position.play(move);
    return uci === '0000' ? [] : [uci];
  } catch {
    return [];
  }
}
