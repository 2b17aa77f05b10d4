/** The page put together: head, board, value and moves, panels, foot, dialogs; and the keys that do what buttons do. */
import { useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { metrics, stipulations } from '../../pipeline/game/stipulation.js';
import { stipulationSign } from '../ui/problem-notation.js';
import { Endings } from './endings.js';
import { Games } from './games.js';
import { ChooseMove, Clock, Moves, PositionForm, Record, Toolbar, Verdict } from './position.js';
import { ExerciseStatus, Practice } from './practice.js';
import { Setup } from './setup.js';
import { Share } from './share.js';
import { Solutions } from './solutions.js';
import type { App } from './state.js';
import { metricWords, verdictOf } from './value-words.js';
import { Button, Dialog, Field, Options, ThemeButton } from './widgets.js';

interface Panel {
  readonly name: string;
  readonly title: string;
  readonly Content: ComponentType<{ readonly app: App }>;
}

/** A new panel is a line here, and a file of its own. */
export const PANELS: readonly Panel[] = [
  { name: 'endings', title: 'Endings', Content: Endings },
  { name: 'solutions', title: 'Solutions', Content: Solutions },
  { name: 'practice', title: 'Practise', Content: Practice },
  { name: 'games', title: 'Games', Content: Games },
];

export function Page({ app }: { readonly app: App }) {
  useSignalEffect(() => {
    const now = app.shown.value;
    if (now === null) return;
    const { answer } = now;
    document.title = `${answer === null ? 'Unknown' : `${verdictOf(answer)} · ${answer.ending}`} · mergemate`;
  });
  const look = {
    'with-panel': app.panel.value !== null,
    'setting-up': app.settingUp.value,
    practising: app.coach.running.value,
  };
  const classes = Object.entries(look).filter(([, is]) => is);
  return (
    <>
      <Header app={app} />
      <main class={classes.map(([name]) => name).join(' ')} aria-busy={app.waiting.value}>
        <div class="area-board">
          <Board app={app} />
        </div>
        <div class="area-tools">
          <Toolbar app={app} />
        </div>
        <div class="area-value">
          <ExerciseStatus app={app} />
          <Verdict app={app} />
          <Clock app={app} />
          <Setup app={app} />
          <Moves app={app} />
          <Record app={app} />
        </div>
        <div class="area-form">
          <PositionForm app={app} />
        </div>
        <div class="area-more">
          <Panels app={app} />
        </div>
      </main>
      <Footer monitor={app.monitor} />
      <Toast app={app} />
      <Keys app={app} />
      <Share app={app} />
      <ChooseMove app={app} />
    </>
  );
}

/** The board draws itself. */
function Board({ app }: { readonly app: App }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current!.append(app.board.host), []);
  return (
    <>
      <div ref={place} />
      {app.board.diagram.value !== null && <pre class="diagram">{app.board.diagram}</pre>}
    </>
  );
}

function Header({ app }: { readonly app: App }) {
  const now = app.shown.value;
  return (
    <header>
      <h1>mergemate</h1>
      {now !== null && (
        <>
          <Field title="Game ">
            <select
              id="game"
              value={now.game.name}
              onChange={({ currentTarget }) => void app.open({ game: currentTarget.value })}
            >
              <Options of={app.games.map(({ name }) => name)} />
            </select>
          </Field>
          <Field title="Metric ">
            <select
              id="metric"
              value={now.metric}
              onChange={({ currentTarget }) => {
                const chosen = metrics.find((each) => each === currentTarget.value);
                if (chosen) void app.open({ metric: chosen });
              }}
            >
              {now.game.metrics.map((each) => (
                <option key={each} value={each} title={metricWords(each, now.game.name)}>
                  {stipulations[each].numbers ? `${each} (${stipulationSign(each)})` : each}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
      <span class="space" />
      {app.monitor && (
        <a href="monitor" class="broad">
          Monitor
        </a>
      )}
      <ThemeButton />
      <Button
        press={() => {
          app.dialog.value = 'keys';
        }}
        title="Which keys do what"
        shortcut="?"
        class="keys"
      >
        Keys
      </Button>
    </header>
  );
}

/** A list of tabs, as keys and screen readers know it (WAI-ARIA, pattern "Tabs"). Every panel stays as it is while others are shown. */
function Panels({ app }: { readonly app: App }) {
  const shown = app.panel.value;
  const keydown = (event: KeyboardEvent) => {
    const at = PANELS.findIndex(({ name }) => `tab-${name}` === (event.target as Element).id);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: PANELS.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const { name } = PANELS[(to + PANELS.length) % PANELS.length];
    app.openPanel(name);
    document.getElementById(`tab-${name}`)!.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label="More" onKeyDown={keydown}>
        {PANELS.map(({ name, title }, i) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls={`panel-${name}`}
            aria-selected={name === shown}
            tabIndex={name === shown || (shown === null && i === 0) ? 0 : -1}
            onClick={() => app.openPanel(name)}
          >
            {title}
          </button>
        ))}
      </div>
      {PANELS.map(({ name, Content }) => (
        <div
          key={name}
          role="tabpanel"
          id={`panel-${name}`}
          aria-labelledby={`tab-${name}`}
          hidden={name !== shown}
        >
          <Content app={app} />
        </div>
      ))}
    </div>
  );
}

/** Whose work the page uses. Telephones have no room at the head for the way to the monitor. */
function Footer({ monitor }: { readonly monitor: boolean }) {
  return (
    <footer class="soft">
      {monitor && (
        <a href="monitor" class="narrow">
          Monitor
        </a>
      )}{' '}
      Chess men by Cburnett and Rfc1394, modified by shaack,{' '}
      <a href="https://creativecommons.org/licenses/by-sa/3.0/" rel="license">
        CC BY-SA 3.0
      </a>
      . <a href="licences.txt">Licences of the code</a>.
    </footer>
  );
}

/** Milliseconds that a text stays. */
const STAYS = { done: 2500, problem: 12_000 } as const;
/** A message can quote whatever was typed. Of one with more characters than these only the beginning and the end are shown, which say what is wrong. */
const MOST = 300;

/** One line at the foot of the window that says what went wrong, or was done. */
function Toast({ app }: { readonly app: App }) {
  const said = app.said.value;
  const close = () => {
    app.said.value = null;
  };
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
      <Button press={close} class="plain">
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
  ['ArrowRight', 'redo', (app) => app.redo()],
  ['b', 'play the best move', (app) => app.playBest()],
  ['m', 'play out the main line, or stop', (app) => void app.playOut()],
  ['l', 'go to the list of moves', () => document.querySelector<HTMLElement>('.moves .move')?.focus()],
  ['s', 'set up a position', (app) => app.switchSetup()],
  ['f', 'flip the board', (app) => app.board.flip()],
  [
    'c',
    'copy a link, the position, the moves',
    (app) => {
      app.dialog.value = 'share';
    },
  ],
  ['Escape', 'stop playing out, leave the setup', (app) => app.leave()],
  [
    '?',
    'this list',
    (app) => {
      app.dialog.value = 'keys';
    },
  ],
];

/** Whether a key means something to what has the focus: text is typed, sliders and choices are moved by arrows. */
function isOwn(target: Element, key: string): boolean {
  if (target.closest('textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])'))
    return true;
  return key.startsWith('Arrow') && target.closest('input, .scroll[tabindex]') === target;
}

/** Listens to keys; and shows the list of them. */
function Keys({ app }: { readonly app: App }) {
  useEffect(() => {
    const keydown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return;
      const found = KEYS.find(([each]) => each === key);
      if (found === undefined || isOwn(target as Element, key)) return;
      event.preventDefault();
      found[2](app);
    };
    document.addEventListener('keydown', keydown);
    return () => document.removeEventListener('keydown', keydown);
  }, []);
  if (app.dialog.value !== 'keys') return null;
  const close = () => {
    app.dialog.value = null;
  };
  const listed = [...KEYS.map(([key, does]) => [FACES[key] ?? key, does] as const), ...ELSEWHERE];
  return (
    <Dialog name="shortcuts" title="Keys" closed={close}>
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
      <Button press={close}>Close</Button>
    </Dialog>
  );
}
