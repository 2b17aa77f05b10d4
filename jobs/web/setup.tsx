/** Setting up a position: men from a palette are dragged to the board or put there square by square. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Board } from './board/board.js';
import { followPointer } from './board/drag.js';
import type { Cell, Setup as Draft, Man, Rights } from './board/kind.js';
import { positionOf } from './line.js';
import type { App } from './state.js';
import { verdictOf } from './value-words.js';
import { Button, Field, Options } from './widgets.js';

/** The man that a press on a square puts there. */
type Tool = Man | 'none' | 'remove';

/** Milliseconds without a change before the source is asked. */
const PAUSE = 150;

/** Takes the en passant square away: only the side that was to move could capture there. */
function withoutPassant(draft: Draft): Draft {
  return draft.rights === undefined ? draft : { ...draft, rights: { ...draft.rights, passant: '-' } };
}

export function Setup({ app }: { readonly app: App }) {
  const board = app.board.made.value;
  return app.settingUp.value && board !== null ? <SetupPanel app={app} board={board} /> : null;
}

function SetupPanel({ app, board }: { readonly app: App; readonly board: Board }) {
  const { kind } = board;
  const draft = useSignal<Draft>(
    kind.read(positionOf(app.shown.peek()!.line)) ?? { men: new Map(), mover: 'white' },
  );
  const tool = useSignal<Tool>('none');
  const checked = useSignal<Checked>({ words: '', isLegal: true });
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const palette = useRef<HTMLDivElement>(null);

  function set(next: Draft): void {
    draft.value = next;
    void board.show(next, [], false);
    const position = kind.write(next);
    app.text.value = position;
    clearTimeout(pause.current);
    pause.current = setTimeout(() => void check(position), PAUSE);
  }

  /** Says what the draft is worth or what is wrong with it. Resolves to whether it is legal. */
  async function check(position: string): Promise<boolean> {
    const [words, isLegal] = await app.look(position).then(
      (answer) => [verdictOf(answer), true] as const,
      (error: Error) => [error.message, false] as const,
    );
    if (position !== kind.write(draft.peek())) return false; // changed meanwhile
    checked.value = { words, isLegal };
    return isLegal;
  }

  async function finish(): Promise<void> {
    clearTimeout(pause.current);
    const position = kind.write(draft.peek());
    if (await check(position)) void app.open({ position });
  }

  function put(cell: Cell, man: Man | null): void {
    if (kind.cellName(cell) === null) return;
    const men = new Map(draft.peek().men);
    if (man === null) men.delete(cell);
    else men.set(cell, man);
    set({ ...draft.peek(), men });
  }

  useEffect(() => {
    board.handle({
      canLift: (cell) => draft.peek().men.has(cell),
      canDrop: (_, to) => kind.cellName(to) !== null,
      targets: () => new Map(),
      moved(from, to) {
        const men = new Map(draft.peek().men);
        const man = men.get(from)!;
        men.delete(from);
        if (to !== null) men.set(to, man);
        set({ ...draft.peek(), men });
      },
      pressed(cell) {
        const chosen = tool.peek();
        if (chosen === 'none') return false;
        put(cell, chosen === 'remove' || draft.peek().men.get(cell) === chosen ? null : chosen);
        return true;
      },
      key(cell, key) {
        const removes = key === 'Delete' || key === 'Backspace';
        if (!removes && !kind.palette.includes(key)) return false;
        put(cell, removes ? null : key);
        return true;
      },
    });
    set(draft.peek());
    palette.current!.querySelector('button')!.focus({ preventScroll: true });
    return () => {
      clearTimeout(pause.current);
      document.querySelector<HTMLElement>('[aria-keyshortcuts=s]')?.focus({ preventScroll: true });
    };
  }, []);

  const choose = (next: Tool) => {
    tool.value = next === tool.peek() ? 'none' : next;
  };
  const { mover, rights } = draft.value;
  return (
    <section class="setup" aria-labelledby="setup-title">
      <h2 id="setup-title">Set up a position</h2>
      <p class="soft">
        Drag men to the board, or choose one and press squares. Dragged off the board, a man is gone.
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div class="palette" role="group" aria-label="Men to put on the board" ref={palette}>
        {kind.palette.map((man) => (
          <ManButton
            key={man}
            board={board}
            man={man}
            isChosen={tool.value === man}
            put={put}
            choose={choose}
          />
        ))}
        <button
          type="button"
          class="remove"
          title="Take men off the board (Delete on a square)"
          aria-pressed={tool.value === 'remove'}
          onClick={() => choose('remove')}
        >
          Remove
        </button>
      </div>
      <fieldset class="sides">
        <legend>To move</legend>
        {(['white', 'black'] as const).map((colour) => (
          <label key={colour}>
            <input
              type="radio"
              name="mover"
              value={colour}
              checked={colour === mover}
              onChange={() => set(withoutPassant({ ...draft.peek(), mover: colour }))}
            />
            {colour === 'white' ? ' White' : ' Black'}
          </label>
        ))}
      </fieldset>
      {rights !== undefined && (
        <RightsFields
          rights={rights}
          row={mover === 'white' ? 6 : 3}
          changed={(changed) => set({ ...draft.peek(), rights: changed })}
        />
      )}
      <div class="buttons">
        <Button
          title="Take all men off the board"
          press={() => set(withoutPassant({ ...draft.peek(), men: new Map() }))}
        >
          Clear
        </Button>
        {kind.mirrored !== null && (
          <Button title="Exchange left and right" press={() => set(kind.mirrored!(draft.peek()))}>
            Mirror
          </Button>
        )}
        <Button
          title="White’s men become Black’s, and the other way round"
          press={() => set(kind.exchanged(draft.peek()))}
        >
          Swap colours
        </Button>
      </div>
      <CheckedWords checked={checked} />
      <div class="buttons">
        <Button press={() => void finish()} class="main">
          Done
        </Button>
        <Button press={app.endSetup} shortcut="Escape">
          Cancel
        </Button>
      </div>
    </section>
  );
}

/** What is known of the draft: its value, or why it is no position. */
interface Checked {
  readonly words: string;
  readonly isLegal: boolean;
}

/** A component of its own: an answer that arrives must not draw the fields again, which would undo what is being typed there. */
function CheckedWords({ checked }: { readonly checked: Signal<Checked> }) {
  const { words, isLegal } = checked.value;
  return (
    <p class={isLegal ? 'checked' : 'checked problem'} role="status">
      {words}
    </p>
  );
}

interface ManProps {
  readonly board: Board;
  readonly man: Man;
  readonly isChosen: boolean;
  readonly put: (cell: Cell, man: Man) => void;
  readonly choose: (man: Man) => void;
}

/** A man that is dragged to the board, or chosen, so that squares are pressed. */
function ManButton({ board, man, isChosen, put, choose }: ManProps) {
  const name = board.kind.manName(man);
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={isChosen}
      title={`${name} (${man} on a square)`}
      ref={(button) => button?.replaceChildren(board.picture(man))}
      onClick={({ detail }) => detail === 0 && choose(man)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        followPointer(event, {
          picture: () => board.picture(man),
          width: event.currentTarget.clientWidth,
          begun: () => {},
          over: () => {},
          dropped(at, pressed) {
            const cell = at && board.cellAt(at.x, at.y);
            if (pressed) choose(man);
            else if (cell !== null) put(cell, man);
          },
        });
      }}
    />
  );
}

const MOST_CLOCK = 999;

interface RightsProps {
  readonly rights: Rights;
  /** The rank on which squares behind a pawn can be. */
  readonly row: number;
  readonly changed: (rights: Rights) => void;
}

/** En passant and the half-move clock of a chess position. */
function RightsFields({ rights, row, changed }: RightsProps) {
  // A position that was pasted may name any square.
  const squares = new Set(['-', ...[...'abcdefgh'].map((file) => `${file}${row}`), rights.passant]);
  return (
    <div class="rights">
      <Field title="En passant">
        <select
          value={rights.passant}
          onChange={({ currentTarget }) => changed({ ...rights, passant: currentTarget.value })}
        >
          <Options of={[...squares].map((square) => [square, square === '-' ? 'none' : square] as const)} />
        </select>
      </Field>
      <Field title="Half-move clock">
        <input
          type="number"
          min={0}
          max={MOST_CLOCK}
          step={1}
          inputmode="numeric"
          title="Plies since the last capture or move of a pawn"
          value={rights.clock}
          onChange={({ currentTarget }) => {
            const plies = Math.trunc(Number(currentTarget.value)) || 0;
            changed({ ...rights, clock: Math.max(0, Math.min(MOST_CLOCK, plies)) });
          }}
        />
      </Field>
    </div>
  );
}
