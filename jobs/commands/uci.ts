/**
 * `mergemate uci`: a UCI engine that plays perfectly from tables or Syzygy files. It looks the moves of a position up and never searches,
 * so it knows its move at once, whatever the clock shows. Under `go infinite` and `go ponder` it keeps the move until it may say it.
 */
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { ProbedMove } from '../../pipeline/tables/probe/prober.js';
import { errorText } from '../cli/error-text.js';
import { print } from '../cli/output.js';
import { linesOf, textOf } from '../cli/text-lines.js';
import { version } from '../cli/version.js';
import { noteCostOf } from '../plan/advice.js';
import { type Lookup, type LookupFlags, openLookup } from '../solved/open-prober.js';
import { ChessPosition } from '../study/chess-position.js';
import { CHESS } from '../study/first-positions.js';

const LONGEST_LINE = 1 << 20;
/** Moves of a position that `setoption name MultiPV` may ask for: more than any position has. */
const MOST_LINES = 256;
/** Scores without a mate, in centipawns: a win by tables, less its plies; a win that the 50-move rule makes a draw. */
const WON = 20_000;
const CURSED = 1;
/** What may follow `go`; the moves of `searchmoves` end where another of these begins. */
const GO_WORDS = new Set(
  'searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite'.split(' '),
);

/** CPU that the cost of a missing table may take: the clock of a game runs. */
const UCI_COST_MS = 300;

export async function runUci(flags: LookupFlags): Promise<void> {
  const game = chess as Game;
  const engine = new Engine(game, await openLookup(game, flags));
  for await (const line of linesOf(textOf('-'), 'standard input', LONGEST_LINE)) {
    const [command = '', ...words] = line.trim().split(/\s+/);
    if (command === 'quit') return;
    try {
      await engine.obey(command, words);
    } catch (error) {
      if (!(error instanceof UserError || error instanceof StorageError)) throw error;
      await print(`info string ${errorText(error)}\n`);
    }
  }
}

/** The lines about the moves of a position, and the one to play: null in a finished game, and "0000" where the position is not known. */
interface Answer {
  readonly info: string;
  readonly move: string | null;
}

class Engine {
  /** Null behind a `position` that could not be read. */
  private position: ChessPosition | null = ChessPosition.read(CHESS);
  /** How often each position has stood on the board, as far as `position` gives the moves of the game, by {@link placed}. */
  private stood: ReadonlyMap<string, number> = new Map();
  private lines = 1;
  /** A move that is kept until `stop` or, if `untilHit`, until `ponderhit`. */
  private kept: { readonly move: string | null; readonly untilHit: boolean } | null = null;

  constructor(
    private readonly game: Game,
    private readonly lookup: Lookup,
  ) {}

  async obey(command: string, words: readonly string[]): Promise<void> {
    switch (command) {
      case 'uci':
        return print(
          `id name mergemate ${version}\nid author the authors of mergemate\n` +
            `option name MultiPV type spin default 1 min 1 max ${MOST_LINES}\nuciok\n`,
        );
      case 'isready':
        return print('readyok\n');
      case 'setoption':
        return this.setOption(words.join(' '));
      case 'position':
        return this.setPosition(words);
      case 'go':
        return this.go(words);
      case 'stop':
        return this.sayKept();
      case 'ponderhit':
        return this.kept?.untilHit ? this.sayKept() : undefined;
      // Engines pass over what they do not know, and there is nothing to do for ucinewgame.
    }
  }

  private setOption(text: string): void {
    const [, name, value] = /^name (.+?)(?: value (.*))?$/i.exec(text) ?? [];
    if (name?.toLowerCase() !== 'multipv') return;
    const lines = Number(value);
    if (!Number.isInteger(lines) || lines < 1 || lines > MOST_LINES)
      throw new UserError(`MultiPV must be a whole number from 1 to ${MOST_LINES}, not "${value}"`);
    this.lines = lines;
  }

  private setPosition(words: readonly string[]): void {
    // A move of the position before would be a move in another game.
    this.position = null;
    const played = words.indexOf('moves');
    const [kind, ...fen] = played < 0 ? words : words.slice(0, played);
    if (kind !== 'startpos' && kind !== 'fen')
      throw new UserError('position needs "startpos" or "fen", and then the moves');
    let position = ChessPosition.read(kind === 'startpos' ? CHESS : fen.join(' '));
    const stood = new Map([[placed(position.fen), 1]]);
    for (const move of played < 0 ? [] : words.slice(played + 1)) {
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
    // Every go has a bestmove of its own.
    await this.sayKept();
    const { info, move } = await this.answer(searchmovesOf(words));
    await print(info);
    const isInfinite = words.includes('infinite');
    if (isInfinite || words.includes('ponder')) this.kept = { move, untilHit: !isInfinite };
    else await sayMove(move);
  }

  private async sayKept(): Promise<void> {
    const { kept } = this;
    this.kept = null;
    if (kept !== null) await sayMove(kept.move);
  }

  /** @param asked the moves that may be played; null if all may. */
  private async answer(asked: readonly string[] | null): Promise<Answer> {
    const { position } = this;
    if (position === null)
      return { info: 'info string the last position could not be read: no move is played\n', move: '0000' };
    const allowed = asked?.flatMap((move) => legalName(position, move)) ?? null;
    if (allowed?.length === 0)
      return { info: 'info string none of searchmoves is a legal move\n', move: '0000' };
    try {
      const board = this.game.parse(position.fen);
      const [{ metric, probed }] = await this.lookup.probe(board);
      const legal = probed.moves.filter(({ uci }) => allowed?.includes(uci) ?? true);
      const moves = this.forwardFirst(legal);
      const lines = moves.slice(0, this.lines).map((move, i) => {
        const score = scoreOf(move, metric);
        return `info depth 1 seldepth 1 multipv ${i + 1} score ${score} nodes ${moves.length} tbhits ${moves.length + 1} time 0 pv ${move.uci}\n`;
      });
      const over = probed.wdl === 'loss' ? 'mate 0' : 'cp 0';
      if (lines.length === 0) lines.push(`info depth 0 score ${over}\n`);
      return { info: lines.join(''), move: moves[0]?.uci ?? null };
    } catch (error) {
      if (!(error instanceof UserError || error instanceof StorageError)) throw error;
      await noteCostOf(error, UCI_COST_MS);
      // A game goes on all the same: any legal move is better than none.
      const [any = null] = allowed ?? position.moves();
      return { info: `info string ${errorText(error)}\n`, move: any };
    }
  }

  /**
   * Orders winning moves whose plies are unknown so that the game gets on: first those after which, and after any reply to which, the
   * position has stood on the board least often; of these first captures and pawn moves, which nobody can take back. Mates stand
   * before all of them, by a better category.
   */
  private forwardFirst(moves: readonly ProbedMove<unknown>[]): readonly ProbedMove<unknown>[] {
    const best = moves.at(0);
    if (best === undefined || best.plies !== null || !best.category.endsWith('win')) return moves;
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

/** A position without its counters: what a repetition repeats. */
const placed = (fen: string): string => fen.split(' ', 4).join(' ');

function sayMove(move: string | null): Promise<void> {
  return print(`bestmove ${move ?? '(none)'}\n`);
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

/** Of a move, for the player who makes it. Only tables of mates say in how many moves it comes. */
function scoreOf({ wdl, plies, category }: ProbedMove<unknown>, metric: Metric): string {
  if (wdl === 'draw') return 'cp 0';
  if (wdl === 'cursed win' || wdl === 'blessed loss') return `cp ${wdl === 'cursed win' ? CURSED : -CURSED}`;
  const sign = wdl === 'win' ? 1 : -1;
  const isMate = (metric === 'dtm' || metric === 'dtm50') && plies !== null;
  if (isMate && (category === 'win' || category === 'loss' || metric === 'dtm'))
    return `mate ${sign * Math.ceil(plies / 2)}`;
  return `cp ${sign * (WON - (plies ?? 0))}`;
}
