/** The slices of the graph as buttons, by key: each says the state of its slice. */
import type { SliceStatus } from '../../server/monitor/monitor-answers.js';
import { h, setText } from '../dom.js';
import type { Layout, Size } from './graph-layout.js';
import { keyOf } from './model.js';
import { atWords, STATES } from './state-words.js';

interface Button {
  readonly element: HTMLButtonElement;
  readonly sign: HTMLElement;
  readonly at: HTMLElement;
  readonly bar: HTMLElement;
}

export interface SliceButtons {
  readonly element: HTMLElement;
  /** Puts the buttons where the layout says. Slices that it lacks lose theirs. */
  place(layout: Layout, size: Size): void;
  /** Says the states of slices that have a button; the Tab key leads to the chosen one. */
  show(slices: readonly SliceStatus[], chosen: string | null): void;
  /** The Tab key leads to this slice as well. */
  tabTo(key: string): void;
  focusOn(key: string): void;
}

export function newSliceButtons(press: (key: string) => void): SliceButtons {
  const element = h('div', { class: 'nodes' });
  const buttons = new Map<string, Button>();

  function buttonOf(key: string): Button {
    const known = buttons.get(key);
    if (known !== undefined) return known;
    const made = newButton(key, () => press(key));
    buttons.set(key, made);
    return made;
  }

  return {
    element,
    place({ at, lines }, size) {
      element.replaceChildren(...lines.flat().map((key) => buttonOf(key).element));
      for (const [key, { x, y }] of at) {
        const { style } = buttonOf(key).element;
        style.left = `${x}px`;
        style.top = `${y}px`;
        style.width = `${size.width}px`;
        style.height = `${size.height}px`;
      }
      for (const key of [...buttons.keys()]) if (!at.has(key)) buttons.delete(key);
    },
    show(slices, chosen) {
      for (const slice of slices) {
        const button = buttons.get(keyOf(slice));
        if (button !== undefined) showState(button, slice, keyOf(slice) === chosen);
      }
    },
    tabTo(key) {
      buttons.get(key)!.element.tabIndex = 0;
    },
    focusOn: (key) => buttons.get(key)?.element.focus(),
  };
}

function newButton(key: string, press: () => void): Button {
  const sign = h('span', { class: 'sign', 'aria-hidden': 'true' });
  const at = h('small');
  const bar = h('span', { class: 'share' });
  const name = h('span', { class: 'name' }, key.split('/').at(-1)!);
  const element = h('button', { type: 'button', 'data-slice': key, click: press }, sign, name, at, bar);
  return { element, sign, at, bar };
}

function showState({ element, sign, at, bar }: Button, slice: SliceStatus, isChosen: boolean): void {
  const { sign: mark, words } = STATES[slice.state];
  const where = slice.state === 'working' ? atWords(slice) : '';
  element.dataset.state = slice.state;
  setText(sign, mark);
  setText(at, where);
  at.hidden = where === '';
  element.title = `${slice.slice}: ${words}${where === '' ? '' : `, ${where}`}`;
  element.setAttribute('aria-label', element.title);
  bar.style.width = `${100 * (slice.state === 'working' ? (slice.share ?? 0) : 0)}%`;
  element.setAttribute('aria-pressed', String(isChosen));
  element.tabIndex = isChosen ? 0 : -1;
}
