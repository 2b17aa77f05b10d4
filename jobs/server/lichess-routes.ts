/** Chess as the public Lichess tablebase API answers it. */

import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Game } from '../../pipeline/game/game.js';
import { SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { type Fen, readFen } from '../../pipeline/games/chess/fen.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { MissingFileError } from '../../pipeline/games/chess/syzygy/format.js';
import { codedBy } from '../../pipeline/games/chess/syzygy/read/prober.js';
import { drawnThroughout } from '../../pipeline/tables/probe/drawn-throughout.js';
import type { Prober } from '../../pipeline/tables/probe/prober.js';
import { pausing } from '../solved/pausing.js';
import { pause } from './kept-probers.js';
import { type CodeOf, lichessAnswer, lichessMainLine, sliceOf } from './lichess.js';
import { LichessAnswer, LichessMainLine } from './lichess-shapes.js';
import { asked, HttpProblem } from './problems.js';
import { replyNegotiated } from './replies.js';
import { getRoute, text } from './route.js';
import type { Service } from './service.js';

const Query = z.object({
  fen: text('Spaces may be underscores, and fields may be left out from the end'),
});

const CBOR = ['application/cbor'];

const standardRoute = getRoute(
  '/standard',
  {
    operationId: 'lichessProbe',
    tag: 'lichess',
    summary: 'A chess position in the shape of the public Lichess tablebase API',
    description:
      'Values of a move are those of the position after it, for the side to move there. Fields of metrics without tables are null.',
  },
  Query,
  LichessAnswer,
  CBOR,
);

const mainLineRoute = getRoute(
  '/standard/mainline',
  {
    operationId: 'lichessMainLine',
    tag: 'lichess',
    summary: 'The line of best play by dtz in the shape of the public Lichess tablebase API',
    description: 'It needs tables of dtz, and ends where the 50-move rule draws.',
  },
  Query,
  LichessMainLine,
  CBOR,
);

const game = chess as Game;

/** Throws HttpProblem 400 for positions that are malformed or illegal. Those that no table holds are answered, too. */
function read(fen: string): Fen {
  return asked(() => readFen(fen));
}

export function lichessRoutes(service: Service, app: OpenAPIHono): void {
  const { catalogue, probers, syzygy } = service;

  const codeOf: CodeOf = async (metric, board, slice) => {
    if (await catalogue.has(game, metric, slice)) {
      const code = await probers.probing(game, metric, (prober) => prober.code(board));
      return { code, precise: true };
    }
    if (drawnThroughout(chess.slice(slice))) return { code: 0, precise: true };
    if (metric !== SYZYGY_METRIC || syzygy === null) return null;
    return codedBy(syzygy, board).catch((error) => {
      if (error instanceof MissingFileError) return null;
      throw error;
    });
  };

  async function mainLineOf(board: ChessBoard, signal: AbortSignal): Promise<LichessMainLine> {
    return probers.probing(game, 'dtz', (prober) =>
      lichessMainLine(
        board,
        pausing(prober as Prober<ChessBoard>, () => pause(signal)),
        async (at) => {
          const coded = await codeOf('dtz', at, chess.locate(at).slice);
          if (coded === null) throw new HttpProblem(404, 'there are no values of dtz of this position here');
          return coded;
        },
      ),
    );
  }

  app.openapi(standardRoute, async (context) => {
    const position = read(context.req.valid('query').fen);
    const answer = await service.inTurn(context, () => lichessAnswer(position, codeOf));
    const isWhole = [answer, ...answer.moves].every(({ dtz }) => dtz !== null);
    return replyNegotiated(context, answer, isWhole ? 'table' : 'listing');
  });

  app.openapi(mainLineRoute, async (context) => {
    const position = read(context.req.valid('query').fen);
    if (position.rooks.length > 0)
      throw new HttpProblem(404, 'positions with castling rights are in no table');
    if (sliceOf(position.board) === null) throw new HttpProblem(404, 'too many men for any table');
    const answer = await service.inTurn(context, ({ signal }) => mainLineOf(position.board, signal));
    return replyNegotiated(context, answer, 'table');
  });
}
