/** The page's views of events: another position, other values of it, a failure, an exercise. */
import { besideOf } from '../beside.js';
import type { Keep, Listener, Shown } from '../explorer.js';
import { positionOf } from '../line.js';
import { type Find, hashOf } from '../place.js';
import { type TableSource, UnreachableError } from '../source.js';
import { verdictOf } from '../value-words.js';
import { noLine } from './no-line.js';
import type { PageParts } from './parts.js';

export interface Views extends Listener {
  /** A list of positions is shown, or none: the address carries it. */
  listed(find: Find | null): void;
  /** While one practises, nothing shows what moves are worth. */
  showSecret(): void;
  /** A line begins or ends to be played out. */
  playingOutChanged(): void;
}

/** `parts`: all of them, once something happens. `endSetup`: leaves the setup. */
export function newViews(
  source: TableSource,
  parts: () => PageParts,
  main: HTMLElement,
  endSetup: () => void,
): Views {
  let find: Find | null = null;

  function hashNow({ game, metric, line }: Shown): string {
    return hashOf({ game: game.name, metric, position: positionOf(line) }, find);
  }

  function shown(now: Shown, keep: Keep): void {
    const hash = hashNow(now);
    if (keep === 'push') history.pushState(now.line, '', hash);
    if (keep === 'replace') history.replaceState(now.line, '', hash);
    const { toast, setup } = parts();
    toast.clear();
    if (setup.running) endSetup();
    showPosition(parts(), now);
    showTools(parts());
    void showBeside(source, parts());
    void showLargest(source, parts());
    showTabs(parts(), now);
  }

  return {
    shown,
    failed(error, again) {
      const { toast, explorer, header, setup, playBoard } = parts();
      toast.problem(error.message, error instanceof UnreachableError ? again : undefined);
      // Choices that could not be followed are taken back.
      const now = explorer.shown;
      if (now === null) return;
      header.show(now.game, now.metric);
      if (!setup.running) void playBoard.show(now, false);
    },
    waiting: (waits) => main.setAttribute('aria-busy', String(waits)),
    listed(listed) {
      find = listed;
      const now = parts().explorer.shown;
      if (now !== null) history.replaceState(history.state, '', hashNow(now));
    },
    showSecret() {
      const { practice, playBoard, explorer } = parts();
      main.classList.toggle('practising', practice.running);
      playBoard.keepSecret(practice.running);
      if (explorer.shown !== null) void playBoard.show(explorer.shown, false);
    },
    playingOutChanged() {
      showTools(parts());
      void showBeside(source, parts());
    },
  };
}

function showPosition(parts: PageParts, now: Shown): void {
  const { game, metric, answer, problem, line } = now;
  const { header, playingOut, verdict, moves, record, form, playBoard } = parts;
  document.title = `${answer === null ? 'Unknown' : `${verdictOf(answer)} · ${answer.slice}`} · mergemate`;
  header.show(game, metric);
  if (!playingOut.running) verdict.note('');
  if (answer === null) verdict.refuse(problem!);
  else verdict.show(answer);
  moves.show(answer);
  record.show(now);
  form.show(positionOf(line));
  void playBoard.show(now, true).then(() => showTools(parts));
}

function showTabs({ endings, games, practice }: PageParts, { game, metric, line }: Shown): void {
  endings.mark(positionOf(line));
  if (game.name === 'chess') games.mark(line);
  void endings.show(game, metric);
  void practice.show(game, metric);
}

/** Other metrics come when the first is there; while a line is played out nobody could read them. */
async function showBeside(
  source: TableSource,
  { explorer, playingOut, clock, moves }: PageParts,
): Promise<void> {
  const now = explorer.shown;
  if (now?.answer == null || playingOut.running) return clock.show(null);
  const beside = await besideOf(source, now);
  if (explorer.shown !== now) return;
  moves.beside(beside);
  clock.show(now.metric === 'dtz' ? now.answer : (beside.get('dtz') ?? null));
}

/** Beside a position that no table has: how many men the largest tables have. */
async function showLargest(source: TableSource, { explorer, verdict }: PageParts): Promise<void> {
  const now = explorer.shown;
  if (now?.problem?.kind !== 'unknown') return;
  const { game, metric } = now;
  const lists = [source.endings(game.name, metric), source.files(game.name, metric)];
  const endings = await Promise.all(lists).catch(() => []);
  const most = Math.max(0, ...endings.flat().map(({ pieces }) => pieces));
  if (explorer.shown === now && most > 0) verdict.note(`Tables here have at most ${most} pieces.`);
}

function showTools({ explorer, tools, playingOut, playBoard }: PageParts): void {
  const now = explorer.shown;
  if (now === null) return;
  const { answer, line } = now;
  tools.show({
    canBack: line.at > 0,
    canRedo: line.at < line.steps.length,
    canPlay: answer !== null && answer.moves.length > 0,
    noLine: noLine(now),
    playing: playingOut.running,
    hasBoard: playBoard.board !== null,
  });
}
