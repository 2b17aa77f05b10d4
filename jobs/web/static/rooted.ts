/** Positions that tables of roots answer for, loaded by pages of sites that have some. The answers are those of a server. */
import { oneOf } from '../../../operators/core/once.js';
import type { Game } from '../../../pipeline/game/game.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { parseManyMen } from '../../../pipeline/games/chess/fen.js';
import type { ChessBoard } from '../../../pipeline/games/chess/rules.js';
import type { LineAnswer, PositionAnswer, SolutionsAnswer } from '../../positions/shapes.js';
import { servedAnswer, servedLine, servedSolutions } from '../../server/answers.js';
import type { SiteTables } from '../../site/value-blocks.js';
import { endingLine, endingSolutions, probedAnswer, writingOf } from '../../solved/ending-answer.js';
import { RootPlaces } from '../../solved/root-places.js';
import type { Answers } from '../../solved/solved.js';
import type { Values } from './site-values.js';

interface SiteRootsOptions {
  readonly roots: readonly string[];
  readonly metric: Metric;
  /** Those of the metric. */
  readonly tables: SiteTables;
  /** Opens them, for the positions of a view; without one, for those of endings. */
  readonly open: (view?: Game) => Promise<Values>;
}

type Opening = () => Promise<Values>;

export class SiteRoots {
  readonly #places: RootPlaces<Opening>;

  constructor({ roots, metric, tables, open }: SiteRootsOptions) {
    this.#places = new RootPlaces({
      chess: chess as Game,
      roots,
      metric,
      hasTable: async (slice) => Object.hasOwn(tables, slice),
      openEndings: () => oneOf(() => open()),
      openRoot: (view) => oneOf(() => open(view as unknown as Game)),
    });
  }

  /** The position, if the table of a root answers for it; null if not. Throws UserError for text that is none. */
  async read(text: string): Promise<ChessBoard | null> {
    const board = parseManyMen(text);
    return (await this.#places.isFromRoot(board)) ? board : null;
  }

  async answer(board: ChessBoard): Promise<PositionAnswer> {
    const [places] = await this.#places.placesOf(board);
    const answers = await this.#places.answersIn(places, board, (open) => probed(open, board));
    return servedAnswer(chess.name, writingOf(chess as Game), board, answers);
  }

  /** Throws UserError where only bounds are known. */
  async line(board: ChessBoard): Promise<LineAnswer> {
    const { root, game, prober } = await this.#sure(board);
    return servedLine(chess.name, { ...(await endingLine(game, prober, board)).json, ...root });
  }

  /** Throws UserError where no solution is sure. */
  async solutions(board: ChessBoard, limit: number): Promise<SolutionsAnswer> {
    const { root, game, prober } = await this.#sure(board);
    return servedSolutions(chess.name, {
      ...(await endingSolutions(game, prober, board, limit)).json,
      ...root,
    });
  }

  /** The tables whose best play or solutions are those of the position, and the name of their root. */
  async #sure(board: ChessBoard): Promise<Values & { readonly root: { readonly root?: string } }> {
    const [places] = await this.#places.placesOf(board);
    const [answer] = await this.#places.answersIn(places, board, (open) => probed(open, board));
    const values = await this.#places.lineIn(places, board, answer)();
    return { ...values, root: places.game === null ? {} : { root: places.game.root } };
  }
}

async function probed(open: Opening, board: ChessBoard): Promise<Answers> {
  const { game, prober } = await open();
  return [await probedAnswer(game, prober, board)];
}
