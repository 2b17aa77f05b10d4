/** The parts of the page, made with what they call when something is done in them. */
import type { GameAnswer } from '../../server/shapes.js';
import { newClockPanel } from '../clock-panel.js';
import { newEndingsPanel } from '../endings-panel.js';
import { type Explorer, newExplorer } from '../explorer.js';
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
import type { SettingUp } from './setting-up.js';
import type { Views } from './views.js';

export type Parts = ReturnType<typeof newParts>;

export interface PartsOptions {
  readonly source: TableSource;
  /** The games that there are tables of. */
  readonly all: readonly GameAnswer[];
  /** Whether there is a page on which runs can be watched. */
  readonly monitor: boolean;
  readonly acts: Acts;
  readonly views: Views;
  readonly settingUp: SettingUp;
}

/** Nothing is called before all parts are made. */
export function newParts(options: PartsOptions) {
  const { source, all, views } = options;
  const toast = newToast();
  const explorer = newExplorer(source, all, views);
  const board = boardParts(options);
  const { element: tabbed, ...tabs } = tabParts(options, explorer, board);
  void tabbed;
  return { toast, explorer, ...board, ...tabs };
}
