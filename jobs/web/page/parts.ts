/** The parts of the page, as they know each other. */
import type { ClockPanel } from '../clock-panel.js';
import type { EndingsPanel } from '../endings-panel.js';
import type { Explorer } from '../explorer.js';
import type { Header } from '../header.js';
import type { MovesList } from '../moves-list.js';
import type { PlayBoard } from '../play-board.js';
import type { PlayingOut } from '../playing-out.js';
import type { PositionForm } from '../position-form.js';
import type { Practice } from '../practice/practice.js';
import type { Record } from '../record.js';
import type { SetupPanel } from '../setup-panel.js';
import type { newShareDialog } from '../share/share-dialog.js';
import type { Shortcuts } from '../shortcuts.js';
import type { newGamePanel } from '../study/game-panel.js';
import type { Toast } from '../toast.js';
import type { Toolbar } from '../toolbar.js';
import type { VerdictPanel } from '../verdict-panel.js';

/** All about the position that is shown. */
export interface PositionParts {
  readonly toast: Toast;
  readonly explorer: Explorer;
  readonly playBoard: PlayBoard;
  readonly verdict: VerdictPanel;
  readonly moves: MovesList;
  readonly clock: ClockPanel;
  readonly record: Record;
  readonly form: PositionForm;
  readonly setup: SetupPanel;
}

/** The parts behind tabs. */
export interface TabParts {
  readonly endings: EndingsPanel;
  readonly practice: Practice;
  readonly games: ReturnType<typeof newGamePanel>;
}

/** The buttons. */
export interface ControlParts {
  readonly playingOut: PlayingOut;
  readonly tools: Toolbar;
  readonly share: ReturnType<typeof newShareDialog>;
  readonly shortcuts: Shortcuts;
  readonly header: Header;
}

export interface PageParts extends PositionParts, TabParts, ControlParts {}
