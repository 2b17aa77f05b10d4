/**
 * Answers to requests for positions, made of what is solved (jobs/solved) as those of commands are: of the endings of a game, of keyed games and of
 * graphs. What no table of an ending has, the tables of a root may have.
 */
import { namedFor } from '../../pipeline/game/named-for.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { isUnsure } from '../../pipeline/tables/probe/verdict.js';
import type { LineAnswer, PositionAnswer, SolutionsAnswer } from '../positions/shapes.js';
import type { Position } from '../solved/ending.js';
import type { Answer, Answers, Solved } from '../solved/solved.js';
import { servedAnswer, servedLine, servedSolutions } from './answers.js';
import { HttpProblem } from './problems.js';
import type { Lasting } from './replies.js';
import type { Roots } from './roots.js';
import type { ServedGame } from './served-game.js';
import { readPosition, type Service } from './service.js';

/** An answer, and how long it holds under the metric that was asked for. */
export interface Found<T> {
  readonly answer: T;
  readonly lasting: Lasting;
}

/** A position as text, and as its game reads it, or why no table of an ending has it. */
interface Asked {
  readonly text: string;
  readonly read: { readonly position: unknown } | HttpProblem;
}

type Work<T> = (solved: Solved, position: unknown) => Promise<Found<T>>;

/**
 * Another name than those of the server's games is that of a graph, whose `metric` throws HttpProblem 404 where there is none.
 * @param named the metric that the request names.
 */
export function answering(service: Service, name: string, named: Metric | undefined): Answering {
  const game = service.games.get(name);
  if (game === undefined)
    return new Answering(
      service.graphs.game(name, () => service.game(name)),
      named,
    );
  const { catalogue, probers } = service;
  const served: ServedGame = {
    name,
    read: (text) => ({ board: readPosition(game, text) }),
    metric: (named) => service.metric(game, named),
    async metricsOf(position, metric) {
      const { board } = position as Position;
      const found: Metric[] = [];
      for (const each of await catalogue.metrics(game)) {
        const { slice } = namedFor(game, each).locate(board);
        if (probers.hasFiles(game, each) || (await catalogue.has(game, each, slice))) found.push(each);
      }
      return found.length === 0 ? [metric] : found;
    },
    probing: (metric, signal, work) => probers.solving(game, metric, signal, work),
  };
  return new Answering(served, named, game.name === 'chess' ? service.roots : undefined);
}

export class Answering {
  /**
   * @param named the metric that the request names.
   * @param roots of chess.
   */
  constructor(
    private readonly game: ServedGame,
    private readonly named: Metric | undefined,
    private readonly roots?: Roots,
  ) {}

  /** Throws as {@link ServedGame.read}. */
  read(text: string): Asked {
    try {
      return { text, read: { position: this.game.read(text) } };
    } catch (error) {
      if (this.roots !== undefined && isNotFound(error)) return { text, read: error };
      throw error;
    }
  }

  /** The metric that the request names, or the first that there are tables of. Throws HttpProblem 400 and 404. */
  metric(): Promise<Metric> {
    return this.game.metric(this.named);
  }

  /** @param signal of a batch: the answer then lets other requests through first, and fails once the client has gone. */
  probe(asked: Asked, metric: Metric, signal?: AbortSignal): Promise<Found<PositionAnswer>> {
    return this.lookUp(asked, metric, signal, this.probed, async () => this.named);
  }

  /** Under every metric for which the position is solved, `metric` if it is under none. */
  probeAll(asked: Asked, metric: Metric, signal?: AbortSignal): Promise<Found<PositionAnswer>> {
    return this.orFromRoot(
      asked,
      signal,
      this.probed,
      async () => undefined,
      async (position) => {
        const { solved, answers } = await this.underAll(position, metric, signal);
        return this.found(solved, position, await this.withRoots(asked.text, answers, signal));
      },
    );
  }

  /** Best play by both sides to the end. The metric must hold distances. */
  line(asked: Asked, metric: Metric, signal: AbortSignal): Promise<Found<LineAnswer>> {
    const work: Work<LineAnswer> = async (solved, position) => ({
      answer: servedLine(this.game.name, (await solved.line(position)).json),
      lasting: 'table',
    });
    return this.lookUp(asked, metric, signal, work, async () => {
      if (this.named !== undefined) return this.named;
      const answers = await this.ofRoots(asked.text, signal);
      return answers === null ? undefined : withPlies(answers);
    });
  }

  /** The solutions of a problem. The metric must hold numbers of them. */
  solutions(
    asked: Asked,
    metric: Metric,
    limit: number,
    signal: AbortSignal,
  ): Promise<Found<SolutionsAnswer>> {
    const work: Work<SolutionsAnswer> = async (solved, position) => ({
      answer: servedSolutions(this.game.name, (await solved.line(position, limit)).json),
      lasting: 'table',
    });
    return this.lookUp(asked, metric, signal, work, async () => metric);
  }

  /** @param ofRoot the metric of the tables of a root; undefined: all. */
  private lookUp<T>(
    asked: Asked,
    metric: Metric,
    signal: AbortSignal | undefined,
    work: Work<T>,
    ofRoot: () => Promise<Metric | undefined>,
  ): Promise<Found<T>> {
    return this.orFromRoot(asked, signal, work, ofRoot, (position) =>
      this.game.probing(metric, signal, (solved) => work(solved, position)),
    );
  }

  /** What the tables of the game answer or, where there are none, `work` on those of a root. */
  private async orFromRoot<T>(
    { text, read }: Asked,
    signal: AbortSignal | undefined,
    work: Work<T>,
    ofRoot: () => Promise<Metric | undefined>,
    fromGame: (position: unknown) => Promise<Found<T>>,
  ): Promise<Found<T>> {
    try {
      if (read instanceof HttpProblem) throw read;
      return await fromGame(read.position);
    } catch (error) {
      if (this.roots === undefined || !isNotFound(error)) throw error;
      const found = await this.roots.probing(text, await ofRoot(), signal, work);
      if (found === null) throw error;
      // A table of the ending may be solved later: it answers before the root does.
      return { answer: found.answer, lasting: 'listing' };
    }
  }

  /** Under all metrics; null if no root has the position. */
  private async ofRoots(text: string, signal?: AbortSignal): Promise<Answers | null> {
    const probe = (solved: Solved, position: unknown) => solved.probe(position);
    return (await this.roots?.probing(text, undefined, signal, probe)) ?? null;
  }

  private readonly probed: Work<PositionAnswer> = async (solved, position) =>
    this.found(solved, position, await solved.probe(position));

  private async underAll(
    position: unknown,
    metric: Metric,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly solved: Solved; readonly answers: Answers }> {
    const metrics = await this.game.metricsOf(position, metric);
    const under = (each: Metric) =>
      this.game.probing(each, signal, async (solved) => ({ solved, answers: await solved.probe(position) }));
    // At once: a store that is far away takes long for each.
    const probed = await Promise.allSettled(metrics.map(under));
    const errors = probed.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    const failed = errors.find((error) => !isNotFound(error));
    if (failed !== undefined) throw failed;
    const [first, ...others] = probed.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (first === undefined) throw errors[0];
    return {
      solved: first.solved,
      answers: [...first.answers, ...others.flatMap(({ answers }) => answers)],
    };
  }

  /** Beside the answers of the ending, those of roots: of problems where the ending has tables of play, or of play where it has problems. */
  private async withRoots(
    text: string,
    [first, ...others]: Answers,
    signal: AbortSignal | undefined,
  ): Promise<Answers> {
    const ofRoots = await this.ofRoots(text, signal);
    const known = new Set([first, ...others].map(({ metric }) => metric));
    return [first, ...others, ...(ofRoots ?? []).filter(({ metric }) => !known.has(metric))];
  }

  private found(solved: Solved, position: unknown, answers: Answers): Found<PositionAnswer> {
    // Tables that know the 50-move rule may be solved later.
    const isOpen = (answer: Answer) =>
      [answer, ...answer.moves].some(({ category }) => category !== undefined && isUnsure(category));
    return {
      answer: servedAnswer(this.game.name, solved, position, answers),
      lasting: answers.some(isOpen) ? 'listing' : 'table',
    };
  }
}

function isNotFound(error: unknown): error is HttpProblem {
  return error instanceof HttpProblem && error.status === 404;
}

/** The first metric that counts plies. Throws HttpProblem 400 if none does. */
function withPlies(answers: Answers): Metric {
  const found = answers.find(({ metric }) => stipulations[metric].plies);
  if (found === undefined)
    throw new HttpProblem(400, `metric ${answers[0].metric} holds no distances, so it has no main line`);
  return found.metric;
}
