// biome-ignore-all lint/a11y/useSemanticElements: a grid of buttons, as screen readers know boards; no table has such cells.
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells have the focus, not their rows.
/** A board as it is drawn: squares, men, marks over them, and 64 cells that take input, which screen readers read. */
import pieces from 'cm-chessboard/assets/pieces/standard.svg?url';
import { wdlClass } from '../value-words.js';
import type { Arrow, Board } from './board.js';
import { colourOf } from './chess-kind.js';
import type { Cell, Man } from './kind.js';

const ALL = Array.from({ length: 64 }, (_, at) => at);
const ROWS = Array.from({ length: 8 }, (_, row) => row);

export function BoardView({ board }: { readonly board: Board }) {
  const dragged = board.dragged.value;
  return (
    <div class="frame">
      <svg viewBox="0 0 8 8" class={`men ${board.animated.value ? 'moving' : ''}`} aria-hidden="true">
        <rect width={8} height={8} class="light" />
        {ALL.map((at) => ((at + (at >> 3)) % 2 === 0 ? null : <Square key={at} at={at} />))}
        {board.men.value.map(({ id, man, cell }) => {
          const at = board.seen(cell);
          return (
            <g
              key={id}
              style={{ transform: `translate(${at & 7}px, ${at >> 3}px)` }}
              visibility={dragged?.from === cell ? 'hidden' : undefined}
            >
              <ManShape game={board.kind.game} man={man} />
            </g>
          );
        })}
        <Names board={board} />
      </svg>
      <Marks board={board} />
      <Cells board={board} />
      {dragged && (
        <div
          class="ghost"
          style={{
            width: dragged.size,
            transform: `translate(${dragged.x}px, ${dragged.y}px) translate(-50%, -50%)`,
          }}
        >
          <ManPicture board={board} man={dragged.man} />
        </div>
      )}
    </div>
  );
}

function Square({ at }: { readonly at: number }) {
  return <rect x={at & 7} y={at >> 3} width={1} height={1} class="dark" />;
}

/** Files and ranks at the edges; squares of games that number them, each in its corner. */
function Names({ board }: { readonly board: Board }) {
  const { kind } = board;
  if (kind.game !== 'chess')
    return ALL.map((at) => (
      <text key={at} class="on-dark number" x={(at & 7) + 0.06} y={(at >> 3) + 0.24}>
        {kind.cellName(board.seen(at))}
      </text>
    ));
  const name = (at: Cell) => kind.cellName(board.seen(at))!;
  return ROWS.map((i) => (
    <g key={i}>
      <text x={0.06} y={i + 0.24} class={i % 2 === 0 ? 'on-light' : 'on-dark'}>
        {name(8 * i)[1]}
      </text>
      <text x={i + 0.94} y={7.92} class={`file ${i % 2 === 0 ? 'on-dark' : 'on-light'}`}>
        {name(56 + i)[0]}
      </text>
    </g>
  ));
}

/** In a square of one unit. */
function ManShape({ game, man }: { readonly game: string; readonly man: Man }) {
  if (game === 'chess')
    return <use href={`${pieces}#${colourOf(man)[0]}${man.toLowerCase()}`} transform="scale(.025)" />;
  return (
    <g class={man.toLowerCase() === 'w' ? 'white' : 'black'} transform="translate(.5 .5)">
      <circle r={0.39} class="rim" />
      <circle r={0.29} class="face" />
      {man === man.toUpperCase() && (
        <path d="M-.2 .13L-.24 -.13L-.1 -.01L0 -.2L.1 -.01L.24 -.13L.2 .13Z" class="crown" />
      )}
    </g>
  );
}

/** A man alone, as wide as what it stands in. */
export function ManPicture({ board, man }: { readonly board: Board; readonly man: Man }) {
  return (
    <svg viewBox="0 0 1 1" class="men" aria-hidden="true">
      <ManShape game={board.kind.game} man={man} />
    </svg>
  );
}

/** Arrows, squares of the last move, where a chosen man can go. */
function Marks({ board }: { readonly board: Board }) {
  const chosen = board.chosen.value;
  const pointed = board.pointed.value;
  const targets = chosen === null ? [] : [...(board.handlers.value?.targets(chosen) ?? [])];
  const middle = (cell: Cell) => {
    const at = board.seen(cell);
    return { x: (at & 7) + 0.5, y: (at >> 3) + 0.5 };
  };
  const square = (cell: Cell, name: string) => {
    const { x, y } = middle(cell);
    return <rect key={name + cell} x={x - 0.455} y={y - 0.455} width={0.91} height={0.91} class={name} />;
  };
  const arrow = ({ path, shade }: Arrow) => {
    const points = path.map(middle);
    const [before, tip] = [points.at(-2)!, points.at(-1)!];
    const length = Math.hypot(tip.x - before.x, tip.y - before.y);
    const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
    // The shaft ends where the head begins.
    const neck = { x: tip.x - 0.38 * dx, y: tip.y - 0.38 * dy };
    const shaft = [...points.slice(0, -1), neck].map(({ x, y }) => `${x},${y}`).join(' ');
    const corner = (side: number) => `${neck.x - 0.22 * side * dy},${neck.y + 0.22 * side * dx}`;
    return (
      <g key={path.join()} class={wdlClass(shade)}>
        <polyline points={shaft} class={`shaft ${wdlClass(shade)}`} />
        <polygon points={`${corner(1)} ${tip.x},${tip.y} ${corner(-1)}`} class="head" />
      </g>
    );
  };
  return (
    <svg viewBox="0 0 8 8" class="marks" aria-hidden="true">
      {board.last.value.map((cell) => square(cell, 'last'))}
      {chosen !== null && square(chosen, 'chosen')}
      {targets.map(([cell, shade]) => {
        const { x, y } = middle(cell);
        return <circle key={cell} cx={x} cy={y} r={0.17} class={`target ${wdlClass(shade)}`} />;
      })}
      {(pointed === null ? board.best.value : [pointed]).map(arrow)}
    </svg>
  );
}

function Cells({ board }: { readonly board: Board }) {
  const { kind } = board;
  const handlers = board.handlers.value;
  const label = (cell: Cell) => {
    const name = kind.cellName(cell);
    const man = board.manOn(cell);
    return name === null ? 'not played on' : `${name}, ${man === undefined ? 'empty' : kind.manName(man)}`;
  };
  return (
    <div
      class="cells"
      role="grid"
      aria-label={`Board of ${kind.game}: arrow keys go from square to square, Enter takes a man up and puts it down`}
    >
      {ROWS.map((row) => (
        <div key={row} role="row">
          {ROWS.map((column) => {
            const cell = board.seen(8 * row + column);
            const look = [handlers?.canLift(cell) && 'movable', board.over.value === cell && 'over'];
            return (
              <button
                key={cell}
                type="button"
                role="gridcell"
                tabIndex={cell === board.tab.value ? 0 : -1}
                aria-label={label(cell)}
                aria-selected={board.chosen.value === cell || undefined}
                class={look.filter(Boolean).join(' ')}
                ref={(element) => void (element && board.cells.set(cell, element))}
                onClick={(event) => board.click(cell, event)}
                onKeyDown={(event) => board.keyDown(cell, event)}
                onPointerDown={(event) => board.pointerDown(cell, event)}
                // The pointer leaves no focus on the board, where arrows go from square to square: they take moves back.
                onMouseDown={(event) => {
                  event.preventDefault();
                  (document.activeElement as HTMLElement | null)?.blur();
                }}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}
