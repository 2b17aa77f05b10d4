/** The page put together: head, board and controls, value and moves, panels, dialogs; and the keys that do what buttons do. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { BoardView } from './board/view.js';
import { Endings } from './endings.js';
import { ExerciseStatus } from './exercise-status.js';
import { type Line, positionOf } from './line.js';
import { placeOf } from './place.js';
import { ChooseMove, Clock, Metrics, Moves, Record, Toolbar, Verdict } from './position.js';
import { Setup } from './setup.js';
import { Share } from './share.js';
import type { App } from './stores/app.js';
import { isDark, switchTheme } from './theme.js';
import { verdictOf } from './value-words.js';
import { Button, Dialog, Field, Form, IconButton, Select } from './widgets.js';

/** Shows what the address asks for. If that fails, shows an example of its game and says why. */
export async function begin(app: App): Promise<void> {
  render(<Page app={app} />, document.body);
  const { position, notices } = app;
  addEventListener('popstate', ({ state }) => void position.openHash(location.hash, 'none', state));
  if (await position.openHash(location.hash, 'replace', history.state as Line | null)) return;
  const problem = notices.latest.peek();
  position.find.value = null;
  const { game: asked } = placeOf(location.hash);
  const { games } = app.options;
  const { name } = games.find((game) => game.name === asked) ?? games[0];
  if (await app.open({ game: name }, 'replace')) notices.latest.value = problem;
}

interface Panel {
  readonly name: string;
  readonly title: string;
  /** Its code, which comes when it is opened for the first time. */
  readonly load: () => Promise<ComponentType<{ readonly app: App }>>;
}

/** A new panel is a line here, and a file of its own. */
const PANELS: readonly Panel[] = [
  { name: 'endings', title: 'Endings', load: async () => Endings },
  { name: 'solutions', title: 'Solutions', load: async () => (await import('./solutions.js')).Solutions },
  { name: 'practice', title: 'Practise', load: async () => (await import('./practice.js')).Practice },
  { name: 'games', title: 'Games', load: async () => (await import('./games.js')).Games },
  { name: 'starts', title: 'First positions', load: async () => (await import('./starts.js')).Starts },
];

function Page({ app }: { readonly app: App }) {
  const { layout, position, coach } = app;
  useSignalEffect(() => {
    const answer = position.shown.value?.answer;
    if (answer !== undefined)
      document.title = `${answer === null ? 'Unknown' : `${verdictOf(answer)} · ${answer.ending || answer.game}`} · mergemate`;
  });
  const look = {
    app: true,
    'without-panels': layout.panels.length === 0,
    'with-panel': layout.panel.value !== null,
    'setting-up': layout.settingUp.value,
    practising: coach.running.value,
  };
  const classes = Object.entries(look).filter(([, is]) => is);
  return (
    <div class={classes.map(([name]) => name).join(' ')}>
      <Header app={app} />
      <main aria-busy={position.busy}>
        <BoardArea app={app} />
        <Toolbar app={app} />
        <div class="area-value">
          <ExerciseStatus app={app} />
          <Verdict app={app} />
          <Setup app={app} />
          <div class="area-moves" id="panel-moves">
            <Metrics app={app} />
            <Clock app={app} />
            <Moves app={app} />
            <Record app={app} />
          </div>
        </div>
        <Panels app={app} />
      </main>
      <Toast app={app} />
      <Keys app={app} />
      <Share app={app} />
      <ChooseMove app={app} />
    </div>
  );
}

function BoardArea({ app }: { readonly app: App }) {
  const board = app.board.made.value;
  const now = app.position.shown.value;
  const { picture } = app.options;
  return (
    <div class="area-board">
      {board !== null ? (
        <BoardView key={board} board={board} />
      ) : (
        now !== null &&
        (picture?.(positionOf(now.line)) ?? <pre class="diagram">{now.answer?.diagram.trimEnd()}</pre>)
      )}
    </div>
  );
}

function Header({ app }: { readonly app: App }) {
  const now = app.position.shown.value;
  const { games, monitor } = app.options;
  return (
    <header>
      <h1>mergemate</h1>
      <Entry app={app} />
      {games.length > 1 && (
        <Select
          id="game"
          label="Game"
          value={now?.game.name}
          changed={(game) => void app.open({ game })}
          of={games.map(({ name }) => name)}
        />
      )}
      <span class="space" />
      {monitor && (
        <a href="monitor" class="broad">
          Monitor
        </a>
      )}
      <IconButton
        of="colours"
        name={`Change to ${isDark.value ? 'light' : 'dark'} colours`}
        press={switchTheme}
      />
      <IconButton of="settings" name="Settings and keys" shortcut="?" press={app.layout.show('settings')} />
    </header>
  );
}

/** The one field for all that can be shown. It holds the position until one types. */
function Entry({ app }: { readonly app: App }) {
  const { text } = app.position;
  return (
    <Form class="entry" submitted={({ position }) => position !== '' && void app.enter(position)}>
      <input
        id="position"
        name="position"
        aria-label="Position, game, link or ending"
        placeholder="Position, game, link, or an ending: rook and pawn against rook"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="go"
        value={text}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        // A field of one line would run the lines of a game together.
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData('text/plain') ?? '';
          if (!pasted.trim().includes('\n')) return;
          event.preventDefault();
          void app.enter(pasted);
        }}
      />
    </Form>
  );
}

/** A list of tabs, as keys and screen readers know it (WAI-ARIA, pattern "Tabs"). Every panel stays as it is while others are shown. */
function Panels({ app }: { readonly app: App }) {
  const tabs = useRef(new Map<string, HTMLButtonElement>());
  const panels = PANELS.filter(({ name }) => app.layout.panels.includes(name));
  if (panels.length === 0) return null;
  const shown = app.layout.panel.value;
  // Where panels take the place of the moves, these have a tab, too.
  const all = [{ name: 'moves', title: 'Moves' }, ...panels];
  const current = shown ?? 'moves';
  const open = (name: string) => app.openPanel(name === 'moves' ? null : name);
  const keydown = (event: KeyboardEvent) => {
    const visible = all.filter(({ name }) => tabs.current.get(name)!.offsetParent !== null);
    const at = visible.findIndex(({ name }) => name === current);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: visible.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const { name } = visible[(to + visible.length) % visible.length];
    open(name);
    tabs.current.get(name)!.focus();
  };
  return (
    <>
      <div role="tablist" aria-label="Panels" onKeyDown={keydown}>
        {all.map(({ name, title }) => (
          <button
            key={name}
            ref={(tab) => void (tab && tabs.current.set(name, tab))}
            type="button"
            role="tab"
            class={`tab-${name}`}
            id={`tab-${name}`}
            aria-controls={`panel-${name}`}
            aria-selected={name === current}
            tabIndex={name === current ? 0 : -1}
            onClick={() => open(name)}
          >
            {title}
          </button>
        ))}
      </div>
      {panels.map(({ name, load }) => (
        <div
          key={name}
          role="tabpanel"
          id={`panel-${name}`}
          class="panel"
          aria-labelledby={`tab-${name}`}
          hidden={name !== shown}
        >
          <Content app={app} load={load} isShown={name === shown} />
        </div>
      ))}
    </>
  );
}

interface ContentProps extends Pick<Panel, 'load'> {
  readonly app: App;
  readonly isShown: boolean;
}

/** A panel from when it is opened for the first time. */
function Content({ app, load, isShown }: ContentProps) {
  const loaded = useSignal<Awaited<ReturnType<Panel['load']>> | null>(null);
  useEffect(() => {
    if (!isShown || loaded.peek() !== null) return;
    void load().then((panel) => {
      loaded.value = panel;
    }, app.notices.failed);
  }, [isShown]);
  const Panel = loaded.value;
  return Panel && <Panel app={app} />;
}

/** Milliseconds that a text stays. */
const STAYS = { done: 2500, problem: 12_000 } as const;
/** A message can quote whatever was typed. Of one with more characters than these only the beginning and the end are shown, which say what is wrong. */
const MOST = 300;

function Toast({ app }: { readonly app: App }) {
  const { latest, close } = app.notices;
  const said = latest.value;
  useEffect(() => {
    if (said === null || said.again !== undefined) return;
    const leaves = setTimeout(close, STAYS[said.kind]);
    return () => clearTimeout(leaves);
  }, [said]);
  if (said === null) return null;
  const { text, kind, again } = said;
  return (
    <div class={`toast ${kind}`}>
      <p role="alert">
        {text.length <= MOST ? text : `${text.slice(0, MOST / 2)} … ${text.slice(-MOST / 2)}`}
      </p>
      {again && <Button press={again}>Try again</Button>}
      <Button press={close} class="quiet">
        Close
      </Button>
    </div>
  );
}

/** These keys are only listed: they act where the focus is. */
const ELSEWHERE: readonly (readonly [keys: string, does: string])[] = [
  ['Tab', 'next part of the page'],
  ['↑ ↓', 'in the list of moves: next and last move'],
  ['Enter', 'in the list of moves: play it'],
  ['← → ↑ ↓', 'on the board: from square to square'],
  ['Enter', 'on the board: take a man up, put it down'],
];
const FACES: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

/** By KeyboardEvent.key. */
const KEYS: readonly (readonly [key: string, does: string, run: (app: App) => void])[] = [
  ['ArrowLeft', 'take back', (app) => app.back()],
  ['ArrowRight', 'make the move again', (app) => app.on()],
  ['Home', 'to the first position', (app) => app.first()],
  ['End', 'to the last position', (app) => app.last()],
  ['b', 'play the best move', (app) => app.playBest()],
  ['m', 'play out the main line, or stop', (app) => void app.playOut()],
  ['l', 'go to the list of moves', (app) => app.toMoves()],
  ['s', 'set up a position', (app) => app.switchSetup()],
  ['f', 'flip the board', (app) => app.board.flip()],
  ['c', 'copy a link, the position, the moves', (app) => app.layout.show('share')()],
  ['Escape', 'stop playing out, put the men away', (app) => app.leave()],
  ['?', 'this list', (app) => app.layout.show('settings')()],
];

/** Whether a key means something to what has the focus: text is typed, sliders and choices are moved by arrows. */
function isOwn(target: Element, key: string): boolean {
  if (target.closest('textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])'))
    return true;
  return /^(Arrow|Home|End)/.test(key) && target.closest('input, select') === target;
}

/** Listens to keys; and shows the list of them, below what can be set. */
function Keys({ app }: { readonly app: App }) {
  const { layout } = app;
  useEffect(() => {
    const keydown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (ctrlKey || metaKey || altKey || (target as Element).closest('dialog') || event.defaultPrevented)
        return;
      if (layout.dialog.peek() !== null || app.board.choosing.peek() !== null) return;
      const found = KEYS.find(([each]) => each === key);
      if (found === undefined || isOwn(target as Element, key)) return;
      event.preventDefault();
      found[2](app);
    };
    document.addEventListener('keydown', keydown);
    return () => document.removeEventListener('keydown', keydown);
  }, []);
  if (layout.dialog.value !== 'settings') return null;
  const listed = [...KEYS.map(([key, does]) => [FACES[key] ?? key, does] as const), ...ELSEWHERE];
  return (
    <Dialog name="settings" title="Settings and keys" closed={layout.close}>
      <div class="query">
        <Field title="Main line">
          <Select
            label="How fast the main line is played"
            chosen={String(app.pace.value)}
            changed={(pace) => {
              app.pace.value = Number(pace);
            }}
            of={PACES}
          />
        </Field>
        <Field title="Distances">
          <Select
            chosen={app.unit.value}
            changed={(unit) => {
              app.unit.value = unit === 'moves' ? 'moves' : 'plies';
            }}
            of={[
              ['plies', 'in plies, moves of one side'],
              ['moves', 'in moves of both sides'],
            ]}
          />
        </Field>
      </div>
      <label title="The other side plays its best move by itself">
        <input
          type="checkbox"
          checked={app.answers.value}
          onChange={({ currentTarget }) => {
            app.answers.value = currentTarget.checked;
          }}
        />
        {' Answer my moves'}
      </label>
      <table>
        <tbody>
          {listed.map(([keys, does]) => (
            <tr key={does}>
              <th scope="row">
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">
        Chess men by Cburnett and Rfc1394, modified by shaack,{' '}
        <a href="https://creativecommons.org/licenses/by-sa/3.0/" rel="license">
          CC BY-SA 3.0
        </a>
        . <a href="licences.txt">Licences of the code</a>.{' '}
        {app.options.monitor && <a href="monitor">Monitor of runs</a>}
      </p>
      <Button press={layout.close}>Close</Button>
    </Dialog>
  );
}

const PACES = [
  ['1600', 'slowly'],
  ['800', 'steadily'],
  ['150', 'fast'],
] as const;
