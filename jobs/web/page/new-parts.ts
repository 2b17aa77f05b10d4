/** The parts of the page, made with what they call when something is done in them. */
import type { GameAnswer } from '../../server/api-answers.js';
import { pliesText } from '../../ui/verdict.js';
import { newClockPanel } from '../clock-panel.js';
import { newEndingsPanel } from '../endings-panel.js';
import { newExplorer } from '../explorer.js';
import { newHeader } from '../header.js';
import { newMovesList } from '../moves-list.js';
import { newPlayBoard } from '../play-board.js';
import { newPlayingOut } from '../playing-out.js';
import { newPositionForm } from '../position-form.js';
import { newPractice } from '../practice/practice.js';
import { newRecord } from '../record.js';
import { newSetupPanel } from '../setup-panel.js';
import { newShareDialog } from '../share/share-dialog.js';
import { newShortcuts } from '../shortcuts.js';
import type { TableSource } from '../source.js';
import { newGamePanel } from '../study/game-panel.js';
import { lookupBy } from '../study/lookup.js';
import { newThemeButton } from '../theme.js';
import { newToast } from '../toast.js';
import { newToolbar } from '../toolbar.js';
import { newVerdictPanel } from '../verdict-panel.js';
import type { Acts } from './acts.js';
import type { ControlParts, PageParts, PositionParts, TabParts } from './parts.js';
import type { Views } from './views.js';

export interface PartsOptions {
  readonly source: TableSource;
  /** The games that there are tables of. */
  readonly all: readonly GameAnswer[];
  /** Whether there is a page on which runs can be watched. */
  readonly monitor: boolean;
  readonly acts: Acts;
  readonly views: Views;
}

/** Nothing is called before all parts are made. */
export function newParts(options: PartsOptions): PageParts {
  const position = positionParts(options);
  const tabs = tabParts(options, position);
  return { ...position, ...tabs, ...controlParts(options, position, tabs) };
}

function positionParts({ source, all, acts, views }: PartsOptions): PositionParts {
  const playBoard = newPlayBoard((move, dragged) => void acts.play(move, dragged));
  const explorer = newExplorer(source, all, views);
  const form = newPositionForm((position) => void acts.open({ position }));
  return {
    toast: newToast(),
    explorer,
    playBoard,
    verdict: newVerdictPanel(),
    moves: newMovesList({ play: (move) => void acts.play(move), point: playBoard.point }),
    clock: newClockPanel((position) => void acts.open({ position }, 'replace')),
    record: newRecord(acts.wind),
    form,
    setup: newSetupPanel({
      look: explorer.look,
      changed: form.show,
      done: (position) => void acts.open({ position }),
      cancelled: acts.endSetup,
    }),
  };
}

function tabParts(
  { source, acts, views }: PartsOptions,
  { explorer, playBoard, toast }: PositionParts,
): TabParts {
  const failed = (error: Error) => views.failed(error, () => {});
  return {
    endings: newEndingsPanel(source, {
      open: (position) => void acts.open({ position }),
      chosen: async (position, ending) => {
        if (await acts.open({ position })) toast.done(`The longest win of ${ending} is on the board.`);
      },
      listed: views.listed,
      failed: views.failed,
    }),
    games: newGamePanel({
      open: (line) => void acts.open({ game: 'chess' }, 'push', line),
      lookup: () => lookupBy(source, explorer.shown!),
      failed,
    }),
    practice: newPractice(source, {
      begin: acts.beginExercise,
      reply: acts.reply,
      takeBack: acts.takeBack,
      point: playBoard.point,
      changed: views.showSecret,
      failed,
    }),
  };
}

function controlParts(
  { source, all, monitor, acts, views }: PartsOptions,
  { explorer, playBoard, verdict, moves, toast }: PositionParts,
  { endings }: TabParts,
): ControlParts {
  const share = newShareDialog(() => explorer.shown, toast);
  const tools = newToolbar({
    back: acts.back,
    redo: acts.redo,
    best: acts.playBest,
    playOut: () => void acts.playOut(),
    flip: playBoard.flip,
    setUp: acts.switchSetup,
    share: share.open,
  });
  const shortcuts = newShortcuts([
    { key: 'ArrowLeft', does: 'take back', run: acts.back },
    { key: 'ArrowRight', does: 'redo', run: acts.redo },
    { key: 'b', does: 'play the best move', run: acts.playBest },
    { key: 'm', does: 'play out the main line, or stop', run: () => void acts.playOut() },
    { key: 'l', does: 'go to the list of moves', run: moves.focus },
    { key: 's', does: 'set up a position', run: acts.switchSetup },
    { key: 'f', does: 'flip the board', run: playBoard.flip },
    { key: 'c', does: 'copy a link, the position, the moves', run: share.open },
    { key: 'Escape', does: 'stop playing out, leave the setup', run: acts.leave },
  ]);
  return {
    share,
    tools,
    shortcuts,
    playingOut: newPlayingOut(source, explorer, {
      changed: views.playingOutChanged,
      found: (drawsAt) =>
        verdict.note(drawsAt === null ? '' : `After ${pliesText(drawsAt)} the 50-move rule draws this line.`),
      pace: tools.pace,
    }),
    header: newHeader(all, monitor, newThemeButton(endings.redraw), {
      go: (place) => void acts.open(place),
      shortcuts: shortcuts.open,
    }),
  };
}
