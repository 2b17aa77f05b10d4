/**
 * Answers to requests for positions, with one implementation for games whose endings are tables (chess, checkers, numbered games) and one
 * for keyed games and graphs. Routes work with {@link Answering} alone.
 */
import type { Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { categoryOf, judgedAs, verdictOf, withBest } from '../../pipeline/tables/probe/verdict.js';
import { answerJson } from '../solved/solved.js';
import { problemOutcome } from '../ui/verdict.js';
import { mainLineAnswer, positionAnswer, solutionsAnswer } from './answers.js';
import type {
  KeyedAnswer,
  KeyedLineAnswer,
  MainLineAnswer,
  PositionAnswer,
  RootedAnswer,
  RootedLineAnswer,
  SolutionsAnswer,
} from './api-answers.js';
import { pausing } from './kept-probers.js';
import { HttpProblem } from './problems.js';
import { readPosition, type Service } from './service.js';

type ProbeAnswer = PositionAnswer | RootedAnswer | KeyedAnswer;

/** A game that requests name, under one metric of its tables. */
interface Answering {
  /** Throws HttpProblem 400 for text that is not a position of the game, 404 or 413 for one that cannot be answered. */
  read(text: string): unknown;
  /** The metric that the request names, or the first that the store has tables of. Throws HttpProblem 400 and 404. */
  metric(): Promise<Metric>;
  /** @param signal of a batch: the answer then lets other requests through first, and fails once the client has gone. */
  probe(position: unknown, metric: Metric, signal?: AbortSignal): Promise<ProbeAnswer>;
  /** The answer with the position's values under every metric that the store has tables of, in games that have several. */
  probeAll(position: unknown, metric: Metric): Promise<ProbeAnswer>;
  /** Best play by both sides to the end. The metric must hold distances. */
  line(
    position: unknown,
    metric: Metric,
    signal: AbortSignal,
  ): Promise<MainLineAnswer | RootedLineAnswer | KeyedLineAnswer>;
  /** The solutions of a problem. The metric must hold numbers of them: keyed games and graphs have none such. */
  solutions?(position: unknown, metric: Metric, limit: number, signal: AbortSignal): Promise<SolutionsAnswer>;
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
  const { probers, catalogue, roots } = service;

  function read(text: string): Asked {
    try {
      return { text, read: { board: readPosition(game, text) } };
    } catch (error) {
      if (game.name === 'chess' && isNotFound(error)) return { text, read: error };
      throw error;
    }
  }

  /** What the tables of the ending answer or, where there are none, those of a root. */
  async function orFromRoot<T, Rooted>(
    { text, read }: Asked,
    fromEnding: (board: unknown) => Promise<T>,
    fromRoot: (text: string) => Promise<Rooted | null>,
  ): Promise<T | Rooted> {
    try {
      if (read instanceof HttpProblem) throw read;
      return await fromEnding(read.board);
    } catch (error) {
      const found = game.name === 'chess' && isNotFound(error) ? await fromRoot(text) : null;
      if (found === null) throw error;
      return found;
    }
  }

  async function valuesOf(
    board: unknown,
    { category }: PositionAnswer,
  ): Promise<NonNullable<PositionAnswer['metrics']>> {
    const values: NonNullable<PositionAnswer['metrics']> = {};
    for (const metric of await catalogue.metrics(game)) {
      const { slice } = namedFor(game, metric).locate(board);
      if (!(await catalogue.has(game, metric, slice))) continue;
      const code = await probers.probing(game, metric, (prober) => prober.code(board));
      const coded = { code, precise: true };
      // Problems have no 50-move rule.
      const clock = stipulations[metric].goalOf === 'either' ? (game.clock?.(board) ?? null) : null;
      const own = categoryOf({ [metric]: coded }, clock);
      const value = judgedAs(clock === null ? own : withBest(own, category), coded, metric);
      values[metric] = stipulations[metric].numbers
        ? { ...value, outcome: problemOutcome(value.wdl) }
        : value;
    }
    return values;
  }

  const ofEnding = (board: unknown, metric: Metric, signal?: AbortSignal): Promise<PositionAnswer> =>
    probers.probing(game, metric, (prober) =>
      positionAnswer(namedFor(game, metric), signal === undefined ? prober : pausing(prober, signal), board),
    );

  async function allOfEnding(board: unknown, metric: Metric): Promise<PositionAnswer> {
    const answer = await ofEnding(board, metric);
    // Syzygy's files may have values of a metric that the store has no tables of.
    const { outcome } = answer;
    const own = { [metric]: { ...verdictOf(answer), ...(outcome !== undefined && { outcome }) } };
    return { ...answer, metrics: { ...own, ...(await valuesOf(board, answer)), ...own } };
  }

  return {
    read,
    metric: () => service.metric(game, named),
    probe: (position, metric, signal) =>
      orFromRoot(
        position as Asked,
        (board) => ofEnding(board, metric, signal),
        (text) => roots.answer(text, named, signal),
      ),
    probeAll: (position, metric) =>
      orFromRoot(
        position as Asked,
        (board) => allOfEnding(board, metric),
        (text) => roots.answer(text, named),
      ),
    line: (position, metric, signal) =>
      orFromRoot(
        position as Asked,
        (board) =>
          probers.probing(game, metric, (prober) =>
            mainLineAnswer(namedFor(game, metric), pausing(prober, signal), board),
          ),
        (text) => roots.line(text, named, signal),
      ),
    solutions(position, metric, limit, signal) {
      const { read } = position as Asked;
      if (read instanceof HttpProblem) throw read;
      return probers.probing(game, metric, (prober) =>
        solutionsAnswer(namedFor(game, metric), pausing(prober, signal), read.board, limit),
      );
    },
  };
}

function isNotFound(error: unknown): error is HttpProblem {
  return error instanceof HttpProblem && error.status === 404;
}

function graph(service: Service, name: string, named: Metric | undefined): Answering {
  const { graphs } = service;
  const probe = (position: unknown, metric: Metric, signal?: AbortSignal): Promise<KeyedAnswer> =>
    graphs.probing(name, metric, signal, async (solved) => {
      const answers = await solved.probe(position);
      return { game: name, ...answerJson(solved, position, answers) } as KeyedAnswer;
    });

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
      graphs.probing(name, metric, signal, async (solved) => {
        const { json } = await solved.line(position);
        return { game: name, ...json } as KeyedLineAnswer;
      }),
  };
}
