/** The page put together: what its parts tell each other. */
import type { GameAnswer, MoveAnswer } from '../server/shapes.js';
import { besideOf } from './beside.js';
import { cachedSource } from './cached-source.js';
import { newClockPanel } from './clock-panel.js';
import { h } from './dom.js';
import { newEndingsPanel } from './endings-panel.js';
import { type Keep, newExplorer, type Shown } from './explorer.js';
import { footer } from './footer.js';
import { newHeader } from './header.js';
import { type Line, positionOf } from './line.js';
import { newMovesList } from './moves-list.js';
import { hashOf, type Place, placeOf } from './place.js';
import { newPlayBoard } from './play-board.js';
import { newPlayingOut } from './playing-out.js';
import { newPositionForm } from './position-form.js';
import { newRecord } from './record.js';
import { newSetupPanel } from './setup-panel.js';
import { newShortcuts } from './shortcuts.js';
import { type TableSource, UnreachableError } from './source.js';
import { newThemeButton } from './theme.js';
import { newToast } from './toast.js';
import { newToolbar } from './toolbar.js';
import { newVerdictPanel } from './verdict-panel.js';
import { verdictOf } from './words.js';

/** Milliseconds before a move is answered, so that one sees it. */
const REPLY = 450;

/** `games`: one at least. `monitor`: whether there is a page on which runs can be watched. */
export async function startApp(
  asked: TableSource,
  games: readonly GameAnswer[],
  monitor: boolean,
): Promise<void> {
  const source = cachedSource(asked);
  const toast = newToast();
  const explorer = newExplorer(source, games, { shown, failed, waiting });
  const playBoard = newPlayBoard((move, dragged) => void play(move, dragged));
  const verdict = newVerdictPanel();
  const moves = newMovesList({ play: (move) => void play(move), point: playBoard.point });
  const clock = newClockPanel((position) => void open({ position }, 'replace'));
  const record = newRecord((at) => void wind(at));
  const form = newPositionForm((position) => void open({ position }));
  const endings = newEndingsPanel(source, {
    open: (position) => {
      void open({ position });
      main.scrollIntoView({ block: 'start' });
    },
    chosen: async (position, ending) => {
      if (await open({ position })) toast.done(`The longest win of ${ending} is on the board.`);
    },
    failed,
  });
  const setup = newSetupPanel({
    look: (position) => explorer.look(position),
    changed: (position) => form.show(position),
    done: (position) => void open({ position }),
    cancelled: endSetup,
  });
  const playingOut = newPlayingOut(source, explorer, {
    changed: () => {
      showTools();
      void showBeside();
    },
    found: (drawsAt) =>
      verdict.note(drawsAt === null ? '' : `After ${drawsAt} plies the 50-move rule draws this line.`),
    pace: () => tools.pace(),
  });
  const tools = newToolbar({
    back: () => wind(at() - 1),
    redo: () => wind(at() + 1),
    best: playBest,
    playOut: () => void playOut(),
    flip: playBoard.flip,
    setUp: () => void (setup.running ? endSetup() : beginSetup()),
    copyLink: () => void copyLink(),
  });
  const shortcuts = newShortcuts([
    { key: 'ArrowLeft', does: 'take back', run: () => wind(at() - 1) },
    { key: 'ArrowRight', does: 'redo', run: () => wind(at() + 1) },
    { key: 'b', does: 'play the best move', run: playBest },
    { key: 'm', does: 'play out the main line, or stop', run: () => void playOut() },
    { key: 'l', does: 'go to the list of moves', run: moves.focus },
    { key: 's', does: 'set up a position', run: () => (setup.running ? endSetup() : beginSetup()) },
    { key: 'f', does: 'flip the board', run: playBoard.flip },
    { key: 'c', does: 'copy a link to the position', run: () => void copyLink() },
    { key: 'Escape', does: 'stop playing out, leave the setup', run: leave },
  ]);
  const header = newHeader(games, monitor, newThemeButton(endings.redraw), {
    go: (place) => void open(place),
    shortcuts: shortcuts.open,
  });
  const main = h(
    'main',
    {},
    h('div', { class: 'area-board' }, playBoard.element),
    h('div', { class: 'area-tools' }, tools.element),
    h(
      'div',
      { class: 'area-value' },
      verdict.element,
      clock.element,
      setup.element,
      moves.element,
      record.element,
    ),
    h('div', { class: 'area-form' }, form.element),
    h('div', { class: 'area-endings' }, endings.element),
  );
  document.body.replaceChildren(header.element, main, footer(), toast.element, shortcuts.element);
  const at = () => explorer.shown?.line.at ?? 0;

  function shown(now: Shown, keep: Keep): void {
    const { game, metric, answer, problem, line } = now;
    const position = positionOf(line);
    const hash = hashOf({ game: game.name, metric, position });
    if (keep === 'push') history.pushState(line, '', hash);
    if (keep === 'replace') history.replaceState(line, '', hash);
    document.title = `${answer === null ? 'Unknown' : `${verdictOf(answer)} · ${answer.slice}`} · mergemate`;
    toast.clear();
    if (setup.running) endSetup();
    header.show(game, metric);
    if (!playingOut.running) verdict.note('');
    if (answer === null) verdict.refuse(problem!);
    else verdict.show(answer);
    moves.show(answer);
    record.show(now);
    form.show(position);
    void playBoard.show(now, true).then(showTools);
    showTools();
    void showBeside();
    void endings.show(game, metric);
  }

  /** Other metrics come when the first is there; while a line is played out nobody could read them. */
  async function showBeside(): Promise<void> {
    const now = explorer.shown;
    if (now?.answer == null || playingOut.running) return clock.show(null);
    const beside = await besideOf(source, now);
    if (explorer.shown !== now) return;
    moves.beside(beside);
    clock.show(now.metric === 'dtz' ? now.answer : (beside.get('dtz') ?? null));
  }

  function failed(error: Error, again: () => void): void {
    toast.problem(error.message, error instanceof UnreachableError ? again : undefined);
    // Choices that could not be followed are taken back.
    const now = explorer.shown;
    if (now === null) return;
    header.show(now.game, now.metric);
    if (!setup.running) void playBoard.show(now, false);
  }

  function waiting(waits: boolean): void {
    main.setAttribute('aria-busy', String(waits));
  }

  function showTools(): void {
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

  /** Shows something else; what was at work stops. */
  function open(place: Partial<Place>, keep: Keep = 'push', line?: Line): Promise<boolean> {
    playingOut.stop();
    return explorer.go(place, keep, line);
  }

  function wind(to: number): void {
    if (setup.running) return;
    playingOut.stop();
    void explorer.wind(to);
  }

  async function play(move: MoveAnswer, dragged = false): Promise<void> {
    playingOut.stop();
    if (setup.running) return;
    playBoard.foresee(move, !dragged);
    if (!(await explorer.play(move)) || !tools.answers()) return;
    const { answer } = explorer.shown!;
    await new Promise((done) => setTimeout(done, REPLY));
    const reply = answer?.moves[0];
    // Unless something else was shown meanwhile.
    if (reply && explorer.shown?.answer === answer) await explorer.play(reply);
  }

  function playBest(): void {
    const best = explorer.shown?.answer?.moves[0];
    if (best) void play(best);
  }

  async function playOut(): Promise<void> {
    if (playingOut.running) return playingOut.stop();
    if (setup.running || explorer.shown === null || noLine(explorer.shown) !== null) return;
    await playingOut.start().catch((error: Error) => failed(error, () => void playOut()));
  }

  function beginSetup(): void {
    playingOut.stop();
    const { board } = playBoard;
    if (board === null || explorer.shown === null) return;
    main.classList.add('setting-up');
    // Whoever has scrolled to the moves sees no board.
    header.element.scrollIntoView({ block: 'nearest' });
    setup.begin(board, positionOf(explorer.shown.line));
  }

  function endSetup(): void {
    if (!setup.running) return;
    setup.end();
    main.classList.remove('setting-up');
    playBoard.resume();
    tools.focusSetUp();
    const now = explorer.shown!;
    form.show(positionOf(now.line));
    void playBoard.show(now, false);
  }

  function leave(): void {
    if (playingOut.running) playingOut.stop();
    else endSetup();
  }

  async function copyLink(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      toast.done('The link is copied.');
    } catch {
      toast.problem('The browser does not let this page copy: take the link from its address bar.');
    }
  }

  addEventListener('popstate', ({ state }) => void open(placeOf(location.hash), 'none', state ?? undefined));
  // What the address asks for, or else an example of its game, and why it is not the other.
  const line = (history.state as Line | null) ?? undefined;
  const place = placeOf(location.hash);
  if (await open(place, 'replace', line)) return;
  const problem = toast.text;
  const { name } = games.find((game) => game.name === place.game) ?? games[0]!;
  if (await open({ game: name }, 'replace')) toast.problem(problem);
}

/** Why there is no main line; null if there is one. */
function noLine({ answer, metric }: Shown): string | null {
  if (answer === null) return 'A position without a value has no main line';
  if (answer.terminal !== 'open') return 'The game is over';
  if (answer.wdl === 'draw') return 'A drawn position has no main line';
  return metric === 'wdl' ? 'This metric has no distances, and so no main line' : null;
}
