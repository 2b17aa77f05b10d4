/** Chess as the public Lichess tablebase API answers it. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Game } from '../../pipeline/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { codedBy, syzygyProber } from '../../pipeline/games/chess/syzygy/read/prober.js';
import { MissingFileError } from '../../pipeline/games/chess/syzygy/read/tables.js';
import { drawnThroughout, type Prober } from '../../pipeline/probe/prober.js';
import { type CodeOf, lichessAnswer, lichessMainLine, sliceOf } from './lichess.js';
import { type ClockedBoard, readLichessFen } from './lichess-fen.js';
import { LichessAnswer, LichessMainLine } from './lichess-shapes.js';
import { HttpProblem } from './problems.js';
import { reply } from './replies.js';
import { answers, Text } from './route.js';
import { pausing, type Service } from './service.js';

const Query = z.object({ fen: Text });

const standardRoute = createRoute({
  method: 'get',
  path: '/standard',
  summary: 'A chess position in the shape of the public Lichess tablebase API',
  request: { query: Query },
  responses: answers(LichessAnswer),
});

const mainLineRoute = createRoute({
  method: 'get',
  path: '/standard/mainline',
  summary: 'The line of best play by dtz in the shape of the public Lichess tablebase API',
  request: { query: Query },
  responses: answers(LichessMainLine),
});

const game = chess as Game;

export function lichessRoutes(service: Service, app: OpenAPIHono): void {
  const { catalogue, probers, syzygy } = service;

  const codeOf: CodeOf = async (metric, board, slice) => {
    if (await catalogue.has(game, metric, slice)) {
      const code = await probers.probing(game, metric, (prober) => prober.code(board));
      return { code, precise: true };
    }
    if (drawnThroughout(chess.slice(slice))) return { code: 0, precise: true };
    if (metric !== 'dtz' || syzygy === null) return null;
    return codedBy(syzygy, board).catch((error) => {
      if (error instanceof MissingFileError) return null;
      throw error;
    });
  };

  /** By tables, or if one that is needed is missing, by Syzygy's files. */
  async function mainLineOf(position: ClockedBoard, signal: AbortSignal): Promise<LichessMainLine> {
    const asked = probers.probing(game, 'dtz', (prober) =>
      lichessMainLine(position, pausing(prober as Prober<ChessBoard>, signal), async (board) => ({
        code: await prober.code(board),
        precise: true,
      })),
    );
    if (syzygy === null) return asked;
    return asked.catch((error) => {
      if (!(error instanceof HttpProblem && error.status === 404)) throw error;
      const line = lichessMainLine(position, pausing(syzygyProber(syzygy), signal), (board) =>
        codedBy(syzygy, board),
      );
      return line.catch((reason) => {
        throw reason instanceof MissingFileError ? error : reason;
      });
    });
  }

  app.openapi(standardRoute, async (context) => {
    const position = readLichessFen(context.req.valid('query').fen);
    const answer = await service.inTurn(context, () => lichessAnswer(position, codeOf));
    const isWhole = [answer, ...answer.moves].every(({ dtz }) => dtz !== null);
    return reply(context, answer, isWhole ? 'table' : 'listing');
  });

  app.openapi(mainLineRoute, async (context) => {
    const position = readLichessFen(context.req.valid('query').fen);
    if (position.rights.length > 0)
      throw new HttpProblem(404, 'positions with castling rights are in no table');
    if (sliceOf(position.board) === null) throw new HttpProblem(404, 'too many men for any table');
    const answer = await service.inTurn(context, (signal) => mainLineOf(position, signal));
    return reply(context, answer, 'table');
  });
}
