/**
 * Positions of chess that only the tables of a root have: answered as `probe --json` answers, by the same view of the store
 * (jobs/solved/rooted.ts). The view is opened again when the store has other roots or tables than before.
 */
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { BlockCache } from '../../pipeline/tables/probe/block-cache.js';
import type { LineAnswer, PositionAnswer, SolutionsAnswer } from '../positions/shapes.js';
import type { Position } from '../solved/ending.js';
import { RootedEndings } from '../solved/rooted.js';
import type { Answers } from '../solved/solved.js';
import { servedAnswer, servedLine, servedSolutions } from './answers.js';
import type { ServedCatalogue } from './catalogue/catalogue.js';
import { KeptProbers, pause } from './kept-probers.js';
import { HttpProblem } from './problems.js';
import type { Versions } from './versions.js';

interface RootsOptions {
  readonly store: Store;
  readonly catalogue: Pick<ServedCatalogue, 'roots' | 'slices'>;
  /** Shared with other probers. */
  readonly cache: BlockCache;
  readonly versions: Versions;
  /** Throws if the store cannot be reached. */
  readonly reach: () => Promise<void>;
}

export class Roots {
  readonly #kept: KeptProbers<RootedEndings>;
  /** What was listed when the version was last looked at. */
  #listed: readonly Iterable<unknown>[] = [];
  #text = '';
  #version = 0;

  constructor(private readonly options: RootsOptions) {
    this.#kept = new KeptProbers(options.reach, () => options.versions.closeFiles());
  }

  /**
   * Null if no solved root has the position, or there is a table of its ending.
   * @param metric undefined: under every metric that the root is solved for.
   * @param signal of a batch: other requests are let through first.
   */
  answer(text: string, metric: Metric | undefined, signal?: AbortSignal): Promise<PositionAnswer | null> {
    return this.#probing(text, metric, signal, async (solved, position, answers) =>
      servedAnswer(chess.name, solved, position, answers),
    );
  }

  /** As {@link answer}, with the answers under all metrics that have one, also those of the ending. */
  answers(text: string): Promise<Answers | null> {
    return this.#probing(text, undefined, undefined, async (_, __, answers) => answers);
  }

  /** The solutions of a problem. Null as of {@link answer}. Throws UserError where none is sure. */
  solutions(
    text: string,
    metric: Metric,
    limit: number,
    signal: AbortSignal,
  ): Promise<SolutionsAnswer | null> {
    return this.#probing(text, metric, signal, async (solved, position) =>
      servedSolutions(chess.name, (await solved.line(position, limit)).json),
    );
  }

  /** Best play, under the metric or the first with distances. Null as of {@link answer}. Throws HttpProblem 400 where only bounds are known. */
  async line(text: string, metric: Metric | undefined, signal: AbortSignal): Promise<LineAnswer | null> {
    const under =
      metric ?? (await this.#probing(text, undefined, signal, async (_, __, all) => withPlies(all)));
    if (under === null) return null;
    return this.#probing(text, under, signal, async (solved, position) =>
      servedLine(chess.name, (await solved.line(position)).json),
    );
  }

  async #probing<T>(
    text: string,
    metric: Metric | undefined,
    signal: AbortSignal | undefined,
    work: (solved: RootedEndings, position: Position, answers: Answers) => Promise<T>,
  ): Promise<T | null> {
    const { catalogue, store, cache, versions } = this.options;
    const roots = await catalogue.roots();
    if (roots.length === 0) return null;
    if (signal !== undefined) await pause(signal);
    const open = async () =>
      new RootedEndings(
        chess as Game,
        chess.name,
        { store: store.uri, cache: 0, ...(metric !== undefined && { metric }) },
        { store, cache, versionOf: (manifest) => versions.of(manifest) },
        roots.map(({ root }) => root),
      );
    return this.#kept.use(metric ?? '', await this.#versionOf(roots), open, async (solved) => {
      const position = solved.parse(text);
      if (!(await solved.isFromRoot(position))) return null;
      return work(solved, position, await solved.probe(position));
    });
  }

  /** Grows when roots or tables are added or removed, also those of endings: they answer before roots do. */
  async #versionOf(roots: readonly unknown[]): Promise<number> {
    const { catalogue } = this.options;
    const slices = await Promise.all(chess.metrics.map((metric) => catalogue.slices(chess as Game, metric)));
    const listed = [roots, ...slices];
    // Listings stay the same objects while they are fresh.
    if (listed.every((each, i) => each === this.#listed[i])) return this.#version;
    const text = JSON.stringify(listed.map((each) => [...each]));
    if (text !== this.#text) this.#version++;
    this.#listed = listed;
    this.#text = text;
    return this.#version;
  }
}

/** Throws HttpProblem 400 if no metric counts plies. */
function withPlies(answers: Answers): Metric {
  const found = answers.find(({ metric }) => stipulations[metric].plies);
  if (found === undefined)
    throw new HttpProblem(400, `metric ${answers[0].metric} holds no distances, so it has no main line`);
  return found.metric;
}
