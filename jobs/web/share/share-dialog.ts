/** Copies to take along: a link, the position, the moves as a game, a picture. */

import { isUnsure } from '../../../pipeline/tables/probe/verdict.js';
import { dialog } from '../controls.js';
import { button } from '../dom.js';
import type { Shown } from '../explorer.js';
import { positionOf } from '../line.js';
import type { Toast } from '../toast.js';
import { download } from './download.js';

export interface ShareDialog {
  readonly element: HTMLElement;
  open(): void;
  copyLink(): Promise<void>;
}

/** Who wins by the value of the position; "*" if that is not known. */
function resultOf({ answer }: Shown): string {
  if (answer !== null && isUnsure(answer.category)) return '*';
  if (answer === null || (answer.wdl !== 'win' && answer.wdl !== 'loss'))
    return answer === null ? '*' : '1/2-1/2';
  return (answer.mover === 'white') === (answer.wdl === 'win') ? '1-0' : '0-1';
}

/** `shown`: what is on the board. */
export function newShareDialog(shown: () => Shown | null, toast: Toast): ShareDialog {
  async function copy(text: string, what: string): Promise<void> {
    element.close();
    try {
      await navigator.clipboard.writeText(text);
      toast.done(`${what} copied.`);
    } catch {
      toast.problem('The browser does not let this page copy: take the text from the page itself.');
    }
  }

  /** The end of the game, where it was reached; else nobody has won yet. */
  async function gameText(now: Shown): Promise<string> {
    const { lineText } = await import('./line-text.js');
    const isOver = now.answer !== null && now.answer.terminal !== 'open';
    return lineText(now.game.name, now.line, isOver ? resultOf(now) : '*');
  }

  async function savePicture(now: Shown): Promise<void> {
    element.close();
    const { pictureOf } = await import('./picture.js');
    const picture = pictureOf(now.game.name, positionOf(now.line));
    if (picture !== null) download('position.svg', 'image/svg+xml', picture);
  }

  const withShown = (use: (now: Shown) => void) => () => {
    const now = shown();
    if (now !== null) use(now);
  };
  const copyLink = () => copy(location.href, 'The link is');
  const position = button(
    '',
    withShown((now) => void copy(positionOf(now.line), 'The position is')),
  );
  const game = button(
    '',
    withShown(async (now) => copy(await gameText(now), 'The moves are')),
  );
  const picture = button(
    'Save a picture (SVG)',
    withShown((now) => void savePicture(now)),
  );
  const element = dialog(
    'share',
    'Copy and save',
    {},
    button('Copy the link', () => void copyLink()),
    ...[position, game, picture],
    button('Close', () => element.close(), { class: 'plain' }),
  );
  return {
    element,
    copyLink,
    open() {
      const now = shown();
      if (now === null || element.open) return;
      const { name } = now.game;
      const hasNotation = name === 'chess' || name === 'checkers';
      position.textContent = name === 'chess' ? 'Copy the FEN' : 'Copy the position';
      game.textContent = name === 'chess' ? 'Copy the moves as PGN' : 'Copy the moves as PDN';
      game.hidden = !hasNotation;
      picture.hidden = !hasNotation;
      element.showModal();
    },
  };
}
