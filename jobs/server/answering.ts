/**
 * Answers to requests for positions, with one implementation for games whose endings are tables (chess, checkers, numbered games) and one
 * for keyed games and graphs. Routes work with {@link Answering} alone.
 */
import type { Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { type Metric, SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
import { isUnsure } from '../../pipeline/tables/probe/verdict.js';
import type { LineAnswer, PositionAnswer, SolutionsAnswer } from '../positions/shapes.js';
import { answerUnder, probeUnder, writingOf } from '../solved/ending-answer.js';
import type { Answer, Answers } from '../solved/solved.js';
import { mainLineAnswer, servedAnswer, servedLine, solutionsAnswer } from './answers.js';
import { pausing } from './kept-probers.js';
import { HttpProblem } from './problems.js';
import type { Lasting } from './replies.js';
import { readPosition, type Service } from './service.js';

/** An answer, and how long it holds under the metric that was asked for. */
interface Found<T> {
  readonly answer: T;
  readonly lasting: Lasting;
}

/** A game that requests name, under one metric of its tables. */
export interface Answering {
  /** Throws HttpProblem 400 for text that is not a position of the game, 404 or 413 for one that cannot be answered. */
  read(text: string): unknown;
  /** The metric that the request names, or the first that the store has tables of. Throws HttpProblem 400 and 404. */
  metric(): Promise<Metric>;
  /** @param signal of a batch: the answer then lets other requests through first, and fails once the client has gone. */
  probe(position: unknown, metric: Metric, signal?: AbortSignal): Promise<Found<PositionAnswer>>;
  /** Under every metric for which the position is solved, `metric` if it is under none. */
  probeAll(position: unknown, metric: Metric, signal?: AbortSignal): Promise<Found<PositionAnswer>>;
  /** Best play by both sides to the end. The metric must hold distances. */
  line(position: unknown, metric: Metric, signal: AbortSignal): Promise<Found<LineAnswer>>;
  /** The solutions of a problem. The metric must hold numbers of them: keyed games and graphs have none such. */
  solutions?(
    position: unknown,
    metric: Metric,
    limit: number,
    signal: AbortSignal,
  ): Promise<Found<SolutionsAnswer>>;
}

/**
 * Another name than those of the server's games is that of a graph, whose `metric` throws HttpProblem 404 where there is none.
 * @param named the metric that the request names.
 */
export function answering(service: Service, name: string, named: Metric | undefined): Answering {
  const game = service.games.get(name);
  return game === undefined ? graph(service, name, named) : endings(service, game, named);
}

/** A position as text; and as a board, or why no table of an ending can have it. */
interface Asked {
  readonly text: string;
  readonly read: { readonly board: unknown } | HttpProblem;
}

function endings(service: Service, game: Game, named: Metric | undefined): Answering {
  const { probers, catalogue, roots, syzygy } = service;

  function read(text: string): Asked {
    try {
      return { text, read: { board: readPosition(game, text) } };
    } catch (error) {
      if (game.name === 'chess' && isNotFound(error)) return { text, read: error };
      throw error;
    }
  }

  /** What the tables of the ending answer or, where there are none, those of a root. */
  async function orFromRoot<T>(
    { text, read }: Asked,
    fromEnding: (board: unknown) => Promise<Found<T>>,
    fromRoot: (text: string) => Promise<T | null>,
  ): Promise<Found<T>> {
    try {
      if (read instanceof HttpProblem) throw read;
      return await fromEnding(read.board);
    } catch (error) {
      const answer = game.name === 'chess' && isNotFound(error) ? await fromRoot(text) : null;
      if (answer === null) throw error;
      // A table of the ending may be solved later: it answers before the root does.
      return { answer, lasting: 'listing' };
    }
  }

  const underMetric = (board: unknown, metric: Metric, signal?: AbortSignal): Promise<Answer> =>
    probers.probing(game, metric, async (prober) =>
      answerUnder(
        game,
        board,
        await probeUnder(
          namedFor(game, metric),
          signal === undefined ? prober : pausing(prober, signal),
          board,
        ),
      ),
    );

  /** Under each metric for which the position is solved; in the order of the game's. */
  async function underAll(board: unknown, metric: Metric, signal?: AbortSignal): Promise<Answers> {
    const metrics = await metricsOf(board, metric);
    // At once: a store that is far away takes long for each.
    const answers = await Promise.allSettled(metrics.map((each) => underMetric(board, each, signal)));
    const errors = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    const failed = errors.find((error) => !isNotFound(error));
    if (failed !== undefined) throw failed;
    const [first, ...others] = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (first === undefined) throw errors[0];
    return [first, ...others];
  }

  /** Beside the answers of the ending, those of roots: of problems where the ending has tables of play, or of play where it has problems. */
  async function withRoots({ text }: Asked, [first, ...others]: Answers): Promise<Answers> {
    const ofRoots = game.name === 'chess' ? await roots.answers(text) : null;
    const known = new Set([first, ...others].map(({ metric }) => metric));
    return [first, ...others, ...(ofRoots ?? []).filter(({ metric }) => !known.has(metric))];
  }

  /** Those of tables, and of Syzygy's files, which may have the position; `metric` if there are none, whose error names the missing table. */
  async function metricsOf(board: unknown, metric: Metric): Promise<Metric[]> {
    const found: Metric[] = [];
    for (const each of await catalogue.metrics(game)) {
      const { slice } = namedFor(game, each).locate(board);
      const mayBeFiled = game.name === 'chess' && each === SYZYGY_METRIC && syzygy !== null;
      if (mayBeFiled || (await catalogue.has(game, each, slice))) found.push(each);
    }
    return found.length === 0 ? [metric] : found;
  }

  function found(board: unknown, answers: Answers): Found<PositionAnswer> {
    const answer = servedAnswer(game.name, writingOf(game), board, answers);
    // Tables that know the 50-move rule may be solved later.
    const isOpen = answers.some((each) => [each, ...each.moves].some(({ category }) => isUnsure(category!)));
    return { answer, lasting: isOpen ? 'listing' : 'table' };
  }

  return {
    read,
    metric: () => service.metric(game, named),
    probe: (position, metric, signal) =>
      orFromRoot(
        position as Asked,
        async (board) => found(board, [await underMetric(board, metric, signal)]),
        (text) => roots.answer(text, named, signal),
      ),
    probeAll: (position, metric, signal) =>
      orFromRoot(
        position as Asked,
        async (board) =>
          found(board, await withRoots(position as Asked, await underAll(board, metric, signal))),
        (text) => roots.answer(text, undefined, signal),
      ),
    line: (position, metric, signal) =>
      orFromRoot(
        position as Asked,
        async (board) => ({
          answer: await probers.probing(game, metric, (prober) =>
            mainLineAnswer(namedFor(game, metric), pausing(prober, signal), board),
          ),
          lasting: 'table',
        }),
        (text) => roots.line(text, named, signal),
      ),
    solutions: (position, metric, limit, signal) =>
      orFromRoot(
        position as Asked,
        async (board) => ({
          answer: await probers.probing(game, metric, (prober) =>
            solutionsAnswer(namedFor(game, metric), pausing(prober, signal), board, limit),
          ),
          lasting: 'table',
        }),
        (text) => roots.solutions(text, metric, limit, signal),
      ),
  };
}

function isNotFound(error: unknown): error is HttpProblem {
  return error instanceof HttpProblem && error.status === 404;
}

function graph(service: Service, name: string, named: Metric | undefined): Answering {
  const { graphs } = service;
  const probe = (position: unknown, metric: Metric, signal?: AbortSignal): Promise<Found<PositionAnswer>> =>
    graphs.probing(name, metric, signal, async (solved) => ({
      answer: servedAnswer(name, solved, position, await solved.probe(position)),
      lasting: 'table',
    }));

  return {
    read: (text) => graphs.read(name, text),
    async metric() {
      // Throws, with the names of the games that the server has.
      if (!(await graphs.has(name))) service.game(name);
      return graphs.metric(name, named);
    },
    probe,
    probeAll: probe,
    line: (position, metric, signal) =>
      graphs.probing(name, metric, signal, async (solved) => ({
        answer: servedLine(name, (await solved.line(position)).json),
        lasting: 'table',
      })),
  };
}
