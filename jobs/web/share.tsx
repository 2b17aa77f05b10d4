/** Copies to take along: a link, the position, the moves as a game, a picture. */
import { isUnsure } from '../../pipeline/tables/probe/verdict.js';
import { resultOf } from '../ui/game-tags.js';
import { kindOf } from './board/kinds.js';
import { positionOf, type Shown } from './line.js';
import { download } from './share/download.js';
import type { App } from './stores/app.js';
import { endOf } from './value-words.js';
import { Button, Dialog } from './widgets.js';

/** The moves with the result where the game has ended; else "*", for nobody has won yet. */
async function gameText({ game, line, answer }: Shown): Promise<string> {
  const { lineText } = await import('./share/line-text.js');
  const end =
    answer === null || (answer.category !== undefined && isUnsure(answer.category)) ? null : endOf(answer);
  const outcome = end === 'lost' ? 'loss' : 'draw';
  return lineText(game.name, line, end === null ? '*' : resultOf(outcome, answer!.mover === game.colours[0]));
}

export function Share({ app }: { readonly app: App }) {
  const now = app.position.shown.value;
  if (app.layout.dialog.value !== 'share' || now === null) return null;
  const { close } = app.layout;
  const copy = (text: string | Promise<string>, what: string) => app.notices.copy(text, what).then(close);
  const savePicture = async (format: 'svg' | 'png') => {
    close();
    try {
      const { diagramOf, pngOf } = await import('./share/picture.js');
      const position = positionOf(now.line);
      const mover = kindOf(now.game.name)?.read(position)?.mover ?? 'white';
      const diagram = diagramOf(now.game.name, position, mover);
      if (diagram === null) return;
      if (format === 'svg') download('position.svg', 'image/svg+xml', diagram);
      else download('position.png', 'image/png', await pngOf(diagram));
    } catch (error) {
      app.notices.failed(error as Error);
    }
  };
  const { name } = now.game;
  const isChess = name === 'chess';
  const hasNotation = isChess || name === 'checkers';
  return (
    <Dialog name="share" title="Copy and save" closed={close}>
      <Button press={() => void copy(location.href, 'The link is')}>Copy the link</Button>
      <Button press={() => void copy(positionOf(now.line), 'The position is')}>
        {isChess ? 'Copy the FEN' : 'Copy the position'}
      </Button>
      {hasNotation && (
        <Button press={() => void copy(gameText(now), 'The moves are')}>
          {isChess ? 'Copy the moves as PGN' : 'Copy the moves as PDN'}
        </Button>
      )}
      {hasNotation && <Button press={() => void savePicture('svg')}>Save a picture (SVG)</Button>}
      {hasNotation && <Button press={() => void savePicture('png')}>Save a picture (PNG)</Button>}
      <Button press={close} class="plain">
        Close
      </Button>
    </Dialog>
  );
}
