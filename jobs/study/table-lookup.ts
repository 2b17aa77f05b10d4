/** Looks positions of studies up in tables, and collects why some are in none. */
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { KnownPosition } from '../../pipeline/analysis/duals.js';
import type { Game } from '../../pipeline/game/game.js';
import { rootIn } from '../../pipeline/games/chess/root-slices.js';
import type { Prober } from '../../pipeline/tables/probe/prober.js';
import { MissingTableError } from '../../pipeline/tables/table.js';
import { errorText } from '../cli/error-text.js';
import { metricOf } from '../cli/options.js';
import { costOfAdvice } from '../plan/advice.js';
import type { RootedEndings } from '../solved/rooted.js';
import type { Answer } from '../solved/solved.js';
import { count } from '../ui/numbers.js';
import { type Lookup, underAny } from './check-study.js';
import { judged } from './judged.js';
import { menOf } from './position-text.js';

/** Endings of so many men are solved within the hour; larger ones take a plan. */
const SOLVED_SOON = 5;

function knownOf({ metric, moves, ...own }: Answer, verdict: string, game: Game): KnownPosition {
  return {
    metric,
    ...judged(own),
    ...(own.most !== undefined && { known: verdict }),
    moves: moves.map(({ name, uci, board, ...value }) => ({
      ...judged(value),
      uci: uci!,
      san: name,
      position: game.format(board),
    })),
  };
}

/** The tables that studies are held against. */
interface StudyTables {
  readonly game: Game;
  /** One a metric, in the order of preference. */
  readonly probers: readonly Prober<unknown>[];
  /** Where solved tables are; null if values come from elsewhere. */
  readonly store: Store | null;
  /** The metric that was asked for; null if any will do. */
  readonly metric: string | null;
  /** Positions with more men are not looked up in tables of endings. */
  readonly men: number;
  /** The roots of the store; null if there are none. */
  readonly roots: RootedEndings | null;
}

/** An ending without a table, and how many positions of it were looked for. */
interface Missing {
  readonly pieces: number;
  positions: number;
}

export class TableLookup {
  private readonly missing = new Map<string, Missing>();
  /** By the place of the study: the first of each. */
  private readonly otherReasons = new Map<string, string>();
  private readonly underEach: readonly ((fen: string, place: string) => Promise<KnownPosition | null>)[];

  constructor(private readonly tables: StudyTables) {
    this.underEach = tables.probers.map((prober) => {
      const absent = new Set<string>();
      return (fen, place) => this.probe(fen, place, prober, absent);
    });
  }

  /** For the positions of one study, which is at `place`. */
  forStudy(place: string): Lookup {
    const lookup = underAny(this.underEach.map((each) => (fen) => each(fen, place)));
    return async (fen) => {
      const isLookedUp = menOf(fen) <= this.tables.men;
      const known = (isLookedUp ? await lookup(fen) : null) ?? (await this.fromRoot(fen, place));
      if (known === null && isLookedUp) this.noteMissing(fen);
      return known;
    };
  }

  private async fromRoot(fen: string, place: string): Promise<KnownPosition | null> {
    const { roots, game } = this.tables;
    if (roots === null) return null;
    try {
      const position = roots.parse(fen);
      if (!(await roots.isFromRoot(position, ['exchangeable']))) return null;
      const [answer] = await roots.probe(position);
      if (answer.promotions === undefined) return knownOf(answer, roots.verdict(position, answer), game);
      const why = `${fen} has tables of a game in which pawns become ${[...answer.promotions].join(', ')} only, which judge no move`;
      if (!this.otherReasons.has(place)) this.otherReasons.set(place, why);
      return null;
    } catch (error) {
      if (!(error instanceof UserError) || error instanceof StorageError) throw error;
      return null;
    }
  }

  /** @param absent slices that the prober has no table of: they are not asked for again. */
  private async probe(
    fen: string,
    place: string,
    prober: Prober<unknown>,
    absent: Set<string>,
  ): Promise<KnownPosition | null> {
    const { game } = this.tables;
    let slice: string | null = null;
    try {
      const board = game.parse(fen);
      ({ slice } = game.locate(board));
      if (absent.has(slice)) return null;
      const { code: _, moves, ...value } = await prober.probe(board);
      return {
        ...value,
        metric: prober.metric,
        moves: moves.map(({ board, code, conversion, restarts, ...move }) => ({
          ...move,
          position: game.format(board),
        })),
      };
    } catch (error) {
      // Damage is no reason to go on.
      if (!(error instanceof UserError) || error instanceof StorageError) throw error;
      if (error instanceof MissingTableError) {
        if (error.slice === slice) absent.add(slice);
      } else if (!this.otherReasons.has(place)) this.otherReasons.set(place, errorText(error));
      return null;
    }
  }

  private noteMissing(fen: string): void {
    const { game, store } = this.tables;
    if (store === null) return;
    let slice: string;
    try {
      ({ slice } = game.locate(game.parse(fen)));
    } catch {
      return;
    }
    const ending = game.ending(slice);
    // Positions with a right to capture en passant are solved with the others of their men.
    const name = ending.class.replace(/ep$/, '');
    const missing = this.missing.get(name) ?? { pieces: ending.pieces, positions: 0 };
    missing.positions++;
    this.missing.set(name, missing);
  }

  /** Why positions are in no table, with the command that helps: endings that are solved soonest come first. */
  async reasons(): Promise<string[]> {
    const { game, store, metric } = this.tables;
    const others = [...this.otherReasons].map(([place, why]) => `${place}: ${why}`);
    if (store === null || this.missing.size === 0) return others;
    const under = metric === null ? '' : ` --metric ${metric}`;
    const endings = [...this.missing].sort(
      ([, a], [, b]) => a.pieces - b.pieces || b.positions - a.positions,
    );
    const largest = endings.at(-1)![1].pieces > SOLVED_SOON ? await this.largestSolved(store) : 0;
    const advice: string[] = [];
    for (const [name, { pieces, positions }] of endings) {
      const what = `${name} is not solved in ${store.uri} (${count(positions, 'position')})`;
      if (pieces <= SOLVED_SOON) {
        const cost = await costOfAdvice(
          game,
          game.ending(name).slices,
          metricOf(game, metric ?? undefined),
          store,
        );
        advice.push(`${what}: run "mergemate solve ${game.name} ${name}${under}"${cost}`);
        continue;
      }
      const there = largest === 0 ? 'no tables are there' : `the tables there have at most ${largest}`;
      const elsewhere = game.name === 'chess' ? "; --syzygy DIR reads Syzygy's files" : '';
      advice.push(`${what}: it has ${pieces} men, ${there}${elsewhere}`);
    }
    return [...others, ...advice];
  }

  private async largestSolved(store: Store): Promise<number> {
    const { game } = this.tables;
    let largest = 0;
    for (const { metric } of this.tables.probers) {
      const prefix = `${game.name}/${metric}/`;
      for (const name of await store.list(prefix)) {
        const [slice] = name.slice(prefix.length).split('/');
        if (!name.endsWith('/table.json') || rootIn(slice) !== null) continue;
        largest = Math.max(largest, game.ending(slice).pieces);
      }
    }
    return largest;
  }
}
