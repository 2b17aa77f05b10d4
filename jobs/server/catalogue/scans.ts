/**
 * Answers by scans of the tables of an ending. Each scan waits for its turn, and lets other requests through every few hundred rows. Histograms
 * are remembered until a table of the ending is replaced.
 */
import type { Store } from '../../../operators/storage/store.js';
import { endingOutcomes } from '../../../pipeline/analysis/outcomes.js';
import type { Ending, Game } from '../../../pipeline/game/game.js';
import { namedFor } from '../../../pipeline/game/named-for.js';
import { namedSlice } from '../../../pipeline/game/slice-words.js';
import { stipulations } from '../../../pipeline/game/stipulation.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { viewOfEnding } from '../../../pipeline/games/chess/root-game.js';
import { openNumbers } from '../../../pipeline/tables/numbers.js';
import { newProber } from '../../../pipeline/tables/probe/prober.js';
import { MissingTableError, needTable, type Table } from '../../../pipeline/tables/table.js';
import { tableManifestName } from '../../../pipeline/tables/table-names.js';
import type { ValueTable } from '../../../pipeline/tables/value-table.js';
import { breathe } from '../../cli/output.js';
import { type PageOfPositions, positionsAnswer } from '../../positions/answer.js';
import type { PositionsQuery } from '../../positions/query.js';
import type { PositionsAnswer } from '../../positions/shapes.js';
import { pausing } from '../../solved/pausing.js';
import { histogramAnswer } from '../answers.js';
import type { HistogramAnswer } from '../api-answers.js';
import { asked, HttpProblem, mayBeReplaced } from '../problems.js';
import type { Versions } from '../versions.js';
import type { ListedTables } from './listed-tables.js';

/** Who waits for a scan. */
export interface Asker {
  readonly client: string;
  /** Aborted when the answer is late, or when the client has gone: `reason` says which. */
  readonly signal: AbortSignal;
}

/** The reason of a signal whose client has gone. */
export const GONE = 'the client has gone';

/** Calls the task when it is its turn; throws HttpProblem 503 if that does not come. */
export type TakeTurn = <T>(asker: Asker, task: () => Promise<T>) => Promise<T>;

interface ScannedPositions {
  readonly game: Game;
  readonly metric: Metric;
  readonly ending: string;
  readonly query: PositionsQuery;
  readonly page: PageOfPositions;
  /** Awaited every few hundred rows: it throws if nobody waits for the answer any more. */
  readonly report: () => Promise<void>;
}

export interface Scans {
  /**
   * Throws HttpProblem: 400 for a name that is no ending, 404 for one without tables, 503 if its turn does not come in time. A scan that has begun
   * goes on when the answer is late, for those who ask again.
   */
  histogram(game: Game, metric: Metric, ending: string, asker?: Asker): Promise<HistogramAnswer>;
  /** Positions of an ending by query. Throws as {@link histogram}, and UserError for what does not go together. Takes no turn: its caller has one. */
  positions(asked: ScannedPositions): Promise<PositionsAnswer>;
}

interface ScansOptions {
  readonly store: Store;
  readonly tables: Pick<ListedTables, 'list'>;
  readonly versions: Versions;
  readonly turn: TakeTurn;
}

const PATIENT: Asker = { client: '', signal: new AbortController().signal };

export function newScans({ store, tables, versions, turn }: ScansOptions): Scans {
  const histograms = new Map<
    string,
    { readonly version: number; readonly scan: SharedScan<HistogramAnswer> }
  >();

  async function solvedEnding(game: Game, metric: Metric, name: string): Promise<Ending> {
    const ending = asked(() => namedFor(game, metric).ending(name));
    // They are not added up: one counts the unknown for White, the other for Black.
    if (ending.bounds !== undefined)
      throw new HttpProblem(
        400,
        `positions of ${ending.name} have two values: name ${ending.bounds.join(' or ')}`,
      );
    const { slices } = await tables.list(game, metric);
    const missing = ending.slices.find((slice) => !slices.has(slice));
    if (missing !== undefined) throw noTable(game, metric, missing);
    return ending;
  }

  const opener = (game: Game, metric: Metric) => (slice: string) => needTable(store, game, metric, slice);

  /** Calls `scan` a second time where a table is wrong or gone: its files are looked for by name again before. */
  async function ofTables<T>(game: Game, metric: Metric, scan: () => Promise<T>): Promise<T> {
    try {
      return await scan().catch((error: unknown) => {
        if (!mayBeReplaced(error)) throw error;
        versions.closeFiles();
        return scan();
      });
    } catch (error) {
      // It was deleted since it was listed.
      if (error instanceof MissingTableError) throw noTable(game, metric, error.slice);
      throw error;
    }
  }

  return {
    async positions({ game, metric, ending: name, query, page, report }) {
      const ending = await solvedEnding(game, metric, name);
      const named = (viewOfEnding(ending.name) as Game | null) ?? namedFor(game, metric);
      const beside = stipulations[metric].numbers
        ? {
            numbers: (table: ValueTable) => openNumbers(store, table as Table),
            // A problem may have thousands of positions behind it.
            prober: () => pausing(newProber({ game: named, metric, store }), report),
          }
        : {};
      const options = { game: named, metric, ending, open: opener(game, metric), report, ...beside };
      return ofTables(game, metric, () => positionsAnswer(options, query, page));
    },

    async histogram(game, metric, name, asker = PATIENT) {
      const ending = await solvedEnding(game, metric, name);
      const key = `${game.name}/${metric}/${ending.name}`;
      const version = ending.slices.reduce(
        (sum, slice) => sum + versions.of(tableManifestName(game.name, metric, slice)),
        0,
      );
      let known = histograms.get(key);
      if (known === undefined || known.version !== version || known.scan.isGivenUp) {
        const scan = new SharedScan((signal, begun) =>
          turn({ client: asker.client, signal }, () => {
            begun();
            const report = async () => {
              await breathe();
              signal.throwIfAborted();
            };
            const options = {
              game: namedFor(game, metric),
              metric,
              ending,
              open: opener(game, metric),
              report,
            };
            return ofTables(game, metric, async () =>
              histogramAnswer(options.game, metric, ending, await endingOutcomes(options)),
            );
          }),
        );
        known = { version, scan };
        histograms.set(key, known);
        const { answer } = scan;
        answer.catch(() => {
          if (histograms.get(key)?.scan === scan) histograms.delete(key);
        });
      }
      return known.scan.join(asker.signal);
    },
  };
}

function noTable(game: Game, metric: Metric, slice: string): HttpProblem {
  return new HttpProblem(404, `there is no ${metric} table of ${namedSlice(game, slice)} here`);
}

/**
 * A scan that several may wait for. It ends without an answer when nobody waits any more: at once while it waits for its turn, and once it has
 * begun only if all who waited have gone.
 */
class SharedScan<T> {
  readonly answer: Promise<T>;
  #askers = 0;
  #hasBegun = false;
  /** Somebody will ask again. */
  #isWanted = false;
  readonly #abort = new AbortController();

  constructor(scan: (signal: AbortSignal, begun: () => void) => Promise<T>) {
    this.answer = scan(this.#abort.signal, () => {
      this.#hasBegun = true;
    });
    this.answer.catch(() => {});
  }

  get isGivenUp(): boolean {
    return this.#abort.signal.aborted;
  }

  /** The answer, or an HttpProblem once `signal` is aborted. */
  join(signal: AbortSignal): Promise<T> {
    this.#askers++;
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        this.#askers--;
        if (signal.reason !== GONE) this.#isWanted = true;
        if (this.#askers === 0 && !(this.#hasBegun && this.#isWanted)) this.#abort.abort();
        reject(new HttpProblem(503, 'the request was given up', { 'Retry-After': '5' }));
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }
}
