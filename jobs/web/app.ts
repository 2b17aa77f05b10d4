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
import { type Find, findOf, hashOf, type Place, placeOf } from './place.js';
import { newPlayBoard } from './play-board.js';
import { newPlayingOut } from './playing-out.js';
import { newPositionForm } from './position-form.js';
import { newPractice } from './practice/practice.js';
import { newRecord } from './record.js';
import { newSetupPanel } from './setup-panel.js';
import { newShareDialog } from './share/share-dialog.js';
import { newShortcuts } from './shortcuts.js';
import { type TableSource, UnreachableError } from './source.js';
import { newGamePanel } from './study/game-panel.js';
import { lookupBy } from './study/lookup.js';
import { newTabs } from './tabs.js';
import { newThemeButton } from './theme.js';
import { newToast } from './toast.js';
import { newToolbar } from './toolbar.js';
import { newVerdictPanel } from './verdict-panel.js';
import { verdictOf } from './words.js';

/** Milliseconds before a move is answered, so that one sees it. */
const REPLY = 450;

/** `all`: the games that there are tables of, one at least. `monitor`: whether there is a page on which runs can be watched. */
export async function startApp(
  asked: TableSource,
  all: readonly GameAnswer[],
  monitor: boolean,
): Promise<void> {
  const source = cachedSource(asked);
  const toast = newToast();
  const explorer = newExplorer(source, all, { shown, failed, waiting });
  const playBoard = newPlayBoard((move, dragged) => void play(move, dragged));
  const verdict = newVerdictPanel();
  const moves = newMovesList({ play: (move) => void play(move), point: playBoard.point });
  const clock = newClockPanel((position) => void open({ position }, 'replace'));
  const record = newRecord((at) => void wind(at));
  const share = newShareDialog(() => explorer.shown, toast);
  let find: Find | null = null;
  const form = newPositionForm((position) => void open({ position }));
  const endings = newEndingsPanel(source, {
    open: (position) => {
      void open({ position });
      main.scrollIntoView({ block: 'start' });
    },
    chosen: async (position, ending) => {
      if (await open({ position })) toast.done(`The longest win of ${ending} is on the board.`);
    },
    listed: (listed) => {
      find = listed;
      if (explorer.shown !== null) history.replaceState(history.state, '', hashNow(explorer.shown));
    },
    failed,
  });
  const games = newGamePanel({
    open: (line) => void open({ game: 'chess' }, 'push', line),
    lookup: () => lookupBy(source, explorer.shown!),
    failed: (error) => failed(error, () => {}),
  });
  const practice = newPractice(source, {
    async begin(position) {
      const isShown = await open({ position: position.position });
      if (isShown) playBoard.turn(position.mover === 'white');
      // Telephones show the board above what begins an exercise.
      header.element.scrollIntoView({ block: 'nearest' });
      return isShown;
    },
    reply: async (move) => {
      await new Promise((done) => setTimeout(done, REPLY));
      if (practice.running) await explorer.play(move, 'replace');
    },
    takeBack: () => void explorer.wind(at() - 1),
    point: playBoard.point,
    changed: showSecret,
    failed: (error) => failed(error, () => {}),
  });
  const tabs = newTabs([
    { name: 'endings', title: 'Endings', content: endings.element },
    { name: 'practice', title: 'Practise', content: practice.element },
    { name: 'games', title: 'Games', content: games.element },
  ]);
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
    share: share.open,
  });
  const shortcuts = newShortcuts([
    { key: 'ArrowLeft', does: 'take back', run: () => wind(at() - 1) },
    { key: 'ArrowRight', does: 'redo', run: () => wind(at() + 1) },
    { key: 'b', does: 'play the best move', run: playBest },
    { key: 'm', does: 'play out the main line, or stop', run: () => void playOut() },
    { key: 'l', does: 'go to the list of moves', run: moves.focus },
    { key: 's', does: 'set up a position', run: () => (setup.running ? endSetup() : beginSetup()) },
    { key: 'f', does: 'flip the board', run: playBoard.flip },
    { key: 'c', does: 'copy a link, the position, the moves', run: share.open },
    { key: 'Escape', does: 'stop playing out, leave the setup', run: leave },
  ]);
  const header = newHeader(all, monitor, newThemeButton(endings.redraw), {
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
      practice.status,
      verdict.element,
      clock.element,
      setup.element,
      moves.element,
      record.element,
    ),
    h('div', { class: 'area-form' }, form.element),
    h('div', { class: 'area-more' }, tabs.element),
  );
  document.body.replaceChildren(
    header.element,
    main,
    footer(monitor),
    toast.element,
    shortcuts.element,
    share.element,
  );
  const at = () => explorer.shown?.line.at ?? 0;

  function shown(now: Shown, keep: Keep): void {
    const { game, metric, answer, problem, line } = now;
    const position = positionOf(line);
    const hash = hashNow(now);
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
    endings.mark(position);
    if (game.name === 'chess') games.mark(line);
    void endings.show(game, metric);
    void practice.show(game, metric);
  }

  function hashNow({ game, metric, line }: Shown): string {
    return hashOf({ game: game.name, metric, position: positionOf(line) }, find);
  }

  /** While one practises, nothing tells what moves are worth. */
  function showSecret(): void {
    main.classList.toggle('practising', practice.running);
    playBoard.keepSecret(practice.running);
    if (explorer.shown !== null) void playBoard.show(explorer.shown, false);
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
    if (place.position !== practice.start) practice.stop();
    return explorer.go(place, keep, line);
  }

  function wind(to: number): void {
    if (setup.running || practice.running) return;
    playingOut.stop();
    void explorer.wind(to);
  }

  async function play(move: MoveAnswer, dragged = false): Promise<void> {
    playingOut.stop();
    if (setup.running) return;
    const before = explorer.shown?.answer;
    playBoard.foresee(move, !dragged);
    if (!(await explorer.play(move))) return;
    const { answer } = explorer.shown!;
    if (practice.running && before && answer !== null) {
      await practice.played(before, move, answer).catch((error: Error) => failed(error, () => {}));
      return;
    }
    if (!tools.answers()) return;
    await new Promise((done) => setTimeout(done, REPLY));
    const reply = answer?.moves[0];
    // Unless something else was shown meanwhile.
    if (reply && explorer.shown?.answer === answer) await explorer.play(reply);
  }

  function playBest(): void {
    if (practice.running) return;
    const best = explorer.shown?.answer?.moves[0];
    if (best) void play(best);
  }

  async function playOut(): Promise<void> {
    if (playingOut.running) return playingOut.stop();
    if (setup.running || practice.running || explorer.shown === null || noLine(explorer.shown) !== null)
      return;
    await playingOut.start().catch((error: Error) => failed(error, () => void playOut()));
  }

  function beginSetup(): void {
    playingOut.stop();
    practice.stop();
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

  addEventListener('popstate', ({ state }) => void open(placeOf(location.hash), 'none', state ?? undefined));
  const wanted = wantedList();
  // What the address asks for, or else an example of its game, and why it is not the other.
  const line = (history.state as Line | null) ?? undefined;
  const place = placeOf(location.hash);
  if (await open(place, 'replace', line)) {
    if (wanted !== null) void endings.find(wanted);
    return;
  }
  const problem = toast.text;
  const { name } = all.find((game) => game.name === place.game) ?? all[0];
  if (await open({ game: name }, 'replace')) toast.problem(problem);
}

/** The list that the address asks for, if it can be asked for. */
function wantedList(): Find | null {
  try {
    return findOf(location.hash);
  } catch {
    return null;
  }
}

/** Why there is no main line; null if there is one. */
function noLine({ answer, metric }: Shown): string | null {
  if (answer === null) return 'A position without a value has no main line';
  if (answer.terminal !== 'open') return 'The game is over';
  if (answer.wdl === 'draw') return 'A drawn position has no main line';
  return metric === 'wdl' ? 'This metric has no distances, and so no main line' : null;
}
