/** The position that is shown, how one came to it, and what is known of it. The address holds it. */
import { computed, signal } from '@preact/signals';
import { stipulations } from '../../../pipeline/game/stipulation.js';
import type { Metric } from '../../../pipeline/game/value.js';
import type { GameAnswer, PlanAnswer } from '../../server/api-answers.js';
import { menOf } from '../../study/position-text.js';
import { Asked } from '../asked.js';
import { kindOf } from '../board/kinds.js';
import { type Line, type LineStep, newLine, played, positionOf, type Shown, wound } from '../line.js';
import { type Find, findOf, hashOf, type PagePlace, placeOf } from '../place.js';
import { NoValueError, type TableSource } from '../source.js';
import type { Layout } from './layout.js';
import type { Notices } from './notices.js';

/** How a step is kept in the browser's history: as a new page of it, in place of the last, or not at all. */
export type Keep = 'push' | 'replace' | 'none';

/** Endings of so many men are solved within the hour, so that nobody needs tables of one position. */
const SOLVED_SOON = 5;

export class PositionStore {
  readonly shown = signal<Shown | null>(null);
  /** The text of the position, at once when it is asked for. */
  readonly text = signal('');
  /** Beside the value: what else there is to say of the position. */
  readonly note = signal('');
  /** What tables of the shown position would take, where it has more men than any table. */
  readonly plan = signal<PlanAnswer | null>(null);
  /** The positions that are listed; null: none are. */
  readonly find = signal(findOf(location.hash));
  /** The position under the metric that knows the 50-move rule. */
  readonly dtz = computed(() => {
    const { answer, beside } = this.shown.value ?? {};
    const all = answer ? [answer, ...beside!.values()] : [];
    return all.find(({ metric }) => stipulations[metric].rule50 === 'cursed') ?? null;
  });
  private readonly asked: Asked<Shown>;

  constructor(
    readonly source: TableSource,
    readonly games: readonly GameAnswer[],
    private readonly notices: Notices,
    private readonly layout: Layout,
    /** Called when a position could not be shown: what was drawn ahead of its answer is taken back. */
    refused: () => void,
  ) {
    this.asked = new Asked((error, again) => {
      this.notices.failed(error, again);
      this.text.value = this.place?.position ?? '';
      refused();
    });
  }

  get busy() {
    return this.asked.busy;
  }

  private get place(): (PagePlace & { readonly line: Line }) | null {
    const now = this.shown.peek();
    return now && { game: now.game.name, metric: now.metric, position: positionOf(now.line), line: now.line };
  }

  /** What was asked for last, until it is shown. */
  private wanted: Pick<Shown, 'game' | 'metric' | 'line'> | null = null;

  private get address(): string {
    return hashOf({ ...this.place!, panel: this.layout.chosen.peek() ?? undefined }, this.find.peek());
  }

  /** Writes what is open into the address. */
  keepPlace(): void {
    if (this.shown.peek() !== null) history.replaceState(history.state, '', this.address);
  }

  list(find: Find | null): void {
    this.find.value = find;
    this.keepPlace();
  }

  /** Shows a place, or the position of a line. Resolves to whether it is shown. */
  async open(place: Partial<PagePlace>, keep: Keep = 'push', line?: Line): Promise<boolean> {
    const { games } = this;
    const now = this.shown.peek();
    const game =
      place.game === undefined ? (now?.game ?? games[0]) : games.find(({ name }) => name === place.game);
    if (game === undefined) return this.refuse(`There are no tables of ${place.game} here.`);
    const same = game === now?.game;
    const metric = place.metric ?? (same ? now.metric : game.metrics[0]);
    if (!game.metrics.includes(metric))
      return this.refuse(`There are no tables of ${game.name} for ${metric} here.`);
    const stays = place.position === undefined && same ? now.line : undefined;
    return this.show(game, metric, line ?? stays ?? newLine(place.position ?? game.example), keep);
  }

  /** Shows what an address names. */
  async openHash(hash: string, keep: Keep, state: Line | null): Promise<boolean> {
    const { from, moves, ...place } = placeOf(hash);
    const line = state ?? (from && moves ? await this.replayed(place.game, from, moves) : null);
    return this.open(place, keep, line ?? undefined);
  }

  /** A line whose moves have these names; null if they are not the moves of that position. */
  private async replayed(
    game = this.games[0].name,
    from: string,
    moves: readonly string[],
  ): Promise<Line | null> {
    const metrics = this.games.find(({ name }) => name === game)?.metrics;
    if (metrics === undefined) return null;
    let line = newLine(from);
    try {
      for (const name of moves) {
        const here = positionOf(line);
        const steps =
          game === 'chess'
            ? await freeMoves(here)
            : (await this.source.probe(game, metrics.slice(0, 1), here))[0].moves;
        const step = steps.find(({ uci }) => uci === name);
        if (step === undefined) return null;
        line = played(line, step);
      }
    } catch {
      return null;
    }
    return line;
  }

  private refuse(why: string): false {
    this.notices.failed(new Error(why));
    return false;
  }

  private async show(game: GameAnswer, metric: Metric, line: Line, keep: Keep): Promise<boolean> {
    this.text.value = positionOf(line);
    const mine = { game, metric, line };
    this.wanted = mine;
    const next = await this.asked.ask(
      () => this.looked(game, metric, line),
      () => void this.show(game, metric, line, keep),
    );
    if (this.wanted === mine) this.wanted = null;
    if (next === null) return false;
    this.take(next, keep);
    return true;
  }

  /** Under the metric; if no table of it has the position, under the first that has one. */
  private async looked(game: GameAnswer, metric: Metric, line: Line): Promise<Shown> {
    const position = positionOf(line);
    const about = { game, metric, line, answer: null, beside: new Map(), problem: null, free: [] };
    try {
      const all = await this.source.probe(game.name, [metric], position).catch((error: Error) => {
        const others = game.metrics.filter((each) => each !== metric);
        if (!(error instanceof NoValueError) || error.kind !== 'unknown' || others.length === 0) throw error;
        return this.source.probe(game.name, others, position).catch(() => {
          throw error;
        });
      });
      const [answer, ...others] = all;
      // The first position is written as the game writes it, and its mover is known.
      const settled = line.at > 0 ? line : { ...line, start: answer.position, first: answer.mover };
      return { ...about, line: settled, answer, beside: new Map(others.map((each) => [each.metric, each])) };
    } catch (problem) {
      if (!(problem instanceof NoValueError) || !kindOf(game.name)?.read(position)) throw problem;
      const isFree = problem.kind === 'unknown' && game.name === 'chess';
      return { ...about, problem, free: isFree ? await freeMoves(position).catch(() => []) : [] };
    }
  }

  private take(next: Shown, keep: Keep): void {
    this.shown.value = next;
    this.plan.value = null;
    this.notices.close();
    this.note.value = '';
    this.text.value = positionOf(next.line);
    if (keep === 'push') history.pushState(next.line, '', this.address);
    if (keep === 'replace') history.replaceState(next.line, '', this.address);
    void this.lookBeside(next);
    void this.lookForLargest(next);
  }

  /** The other metrics, where they did not come with the first: a site reads them from tables of their own. */
  private async lookBeside(now: Shown): Promise<void> {
    const { game, line, answer, beside } = now;
    const others = game.metrics.filter((each) => each !== answer?.metric && !beside.has(each));
    if (answer === null || others.length === 0) return;
    const found = await this.source.probe(game.name, others, positionOf(line)).catch(() => []);
    const all = new Map(found.map((each) => [each.metric, each]));
    all.delete(answer.metric);
    if (this.shown.peek() === now && all.size > beside.size) this.shown.value = { ...now, beside: all };
  }

  /** Beside a position that no table has: how many men the largest tables have. */
  private async lookForLargest(now: Shown): Promise<void> {
    if (now.problem?.kind !== 'unknown') return;
    const { game, metric } = now;
    const lists = [this.source.endings(game.name, metric), this.source.files(game.name, metric)];
    const endings = await Promise.all(lists).catch(() => []);
    const most = Math.max(0, ...endings.flat().map(({ pieces }) => pieces));
    if (this.shown.peek() !== now) return;
    const position = positionOf(now.line);
    const men = kindOf(game.name) === null ? Number.POSITIVE_INFINITY : menOf(position);
    if (most > 0 && men > most) this.note.value = `Tables here have at most ${most} pieces.`;
    if (game.name !== 'chess' || men <= Math.max(most, SOLVED_SOON)) return;
    const [placement, , castling = '-'] = position.split(' ');
    // Without pawns it is an ending; rights to castle are in no table.
    if (!/p/i.test(placement) || castling !== '-') return;
    const plan = await this.source.plan(position).catch(() => null);
    if (this.shown.peek() === now) this.plan.value = plan;
  }

  step(move: LineStep, keep: Keep = 'push'): Promise<boolean> {
    const { game, metric, line } = this.shown.peek()!;
    return this.show(game, metric, played(line, move), keep);
  }

  /** How many moves of the line come before the position that is asked for, or else shown: keys may be faster than answers. */
  get at(): number {
    return (this.wanted ?? this.shown.peek())?.line.at ?? 0;
  }

  /** Shows the position after so many moves of the line. */
  windTo(to: number): void {
    const { game, metric, line } = this.wanted ?? this.shown.peek()!;
    const next = wound(line, to);
    if (next.at !== line.at) void this.show(game, metric, next, 'push');
  }
}

/** Every move of a position of chess by the rules alone, which are fetched with the first of them. */
async function freeMoves(fen: string): Promise<LineStep[]> {
  const { movesOf } = await import('../rules.js');
  return movesOf(fen);
}
