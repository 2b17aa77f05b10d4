/** Putting men on the board: each change is shown at once with its value, so that there is nothing to be confirmed. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Board } from './board/board.js';
import type { Cell, Setup as Draft, Man, Rights } from './board/kind.js';
import { ManPicture } from './board/view.js';
import type { App } from './stores/app.js';
import { Button, Field, Select } from './widgets.js';

/** The man that a press on a square puts there. */
type Tool = Man | 'none' | 'remove';

/** Takes the en passant square away: only the side that was to move could capture there. */
function withoutPassant(draft: Draft): Draft {
  return draft.rights === undefined ? draft : { ...draft, rights: { ...draft.rights, passant: '-' } };
}

export function Setup({ app }: { readonly app: App }) {
  const board = app.board.made.value;
  return app.layout.settingUp.value && board !== null ? <Palette app={app} board={board} /> : null;
}

function Palette({ app, board }: { readonly app: App; readonly board: Board }) {
  const { kind } = board;
  const { text } = app.position;
  const tool = useSignal<Tool>('none');
  const palette = useRef<HTMLDivElement>(null);
  const isChanged = useRef(false);
  const read = (position: string): Draft => kind.read(position) ?? { men: new Map(), mover: 'white' };

  function set(next: Draft): void {
    board.show(next, [], false);
    // All changes are one step back in the browser's history.
    void app.position.open({ position: kind.write(next) }, isChanged.current ? 'replace' : 'push');
    isChanged.current = true;
  }

  function put(changes: readonly (readonly [Cell, Man | null])[]): void {
    const draft = read(text.peek());
    const men = new Map(draft.men);
    for (const [cell, man] of changes) {
      if (man === null) men.delete(cell);
      else if (kind.cellName(cell) !== null) men.set(cell, man);
    }
    set({ ...draft, men });
  }

  useEffect(() => {
    app.board.edit({
      canLift: (cell) => board.manOn(cell) !== undefined,
      canDrop: (_, to) => kind.cellName(to) !== null,
      targets: () => new Map(),
      moved(from, to) {
        const man = board.manOn(from)!;
        put(
          to === null
            ? [[from, null]]
            : [
                [from, null],
                [to, man],
              ],
        );
      },
      pressed(cell) {
        const chosen = tool.peek();
        if (chosen === 'none') return false;
        put([[cell, chosen === 'remove' || board.manOn(cell) === chosen ? null : chosen]]);
        return true;
      },
      key(cell, key) {
        const removes = key === 'Delete' || key === 'Backspace';
        if (!removes && !kind.palette.includes(key)) return false;
        put([[cell, removes ? null : key]]);
        return true;
      },
    });
    palette.current!.querySelector('button')!.focus({ preventScroll: true });
    return () => app.board.edit(null);
  }, []);

  const choose = (next: Tool) => {
    tool.value = next === tool.peek() ? 'none' : next;
  };
  const draft = read(text.value);
  const { mover, rights } = draft;
  return (
    <section class="setup" aria-label="Set up a position">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div class="palette" role="group" aria-label="Men to put on the board" ref={palette}>
        {kind.palette.map((man) => (
          <ManButton
            key={man}
            board={board}
            man={man}
            isChosen={tool.value === man}
            put={(cell) => put([[cell, man]])}
            choose={choose}
          />
        ))}
      </div>
      <p class="soft">Drag men to the board and off it, or choose one and press squares.</p>
      <div class="buttons">
        <Button
          title="Press squares to take men off the board (Delete on a square)"
          pressed={tool.value === 'remove'}
          press={() => choose('remove')}
        >
          Remove
        </Button>
        <Button
          title="Take all men off the board"
          press={() => set(withoutPassant({ ...draft, men: new Map() }))}
        >
          Clear
        </Button>
        {kind.mirrored !== null && (
          <Button title="Exchange left and right" press={() => set(kind.mirrored!(draft))}>
            Mirror
          </Button>
        )}
        <Button
          title="White’s men become Black’s, and the other way round"
          press={() => set(kind.exchanged(draft))}
        >
          Swap colours
        </Button>
      </div>
      <div class="query">
        <fieldset class="metrics" aria-label="To move">
          {(['white', 'black'] as const).map((colour) => (
            <Button
              key={colour}
              pressed={colour === mover}
              press={() => set(withoutPassant({ ...draft, mover: colour }))}
            >
              {colour === 'white' ? 'White to move' : 'Black to move'}
            </Button>
          ))}
        </fieldset>
        {rights !== undefined && (
          <RightsFields
            rights={rights}
            row={mover === 'white' ? 6 : 3}
            changed={(changed) => set({ ...draft, rights: changed })}
          />
        )}
      </div>
      <div class="buttons">
        <Button press={app.switchSetup} shortcut="Escape" class="main">
          Done
        </Button>
      </div>
    </section>
  );
}

interface ManProps {
  readonly board: Board;
  readonly man: Man;
  readonly isChosen: boolean;
  readonly put: (cell: Cell) => void;
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
      onClick={({ detail }) => detail === 0 && choose(man)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        board.drag(event, man, null, (to, pressed) => {
          if (pressed) choose(man);
          else if (to !== null) put(to);
        });
      }}
    >
      <ManPicture board={board} man={man} />
    </button>
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
    <>
      <Field title="En passant">
        <Select
          value={rights.passant}
          changed={(passant) => changed({ ...rights, passant })}
          of={[...squares].map((square) => [square, square === '-' ? 'none' : square] as const)}
        />
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
    </>
  );
}
