/** One line at the foot of the window that says what went wrong, or was done. */
import { button, h } from './dom.js';

export interface Toast {
  readonly element: HTMLElement;
  /** The text that is shown now. */
  readonly text: string;
  /** `again`: what a button tries once more. */
  problem(text: string, again?: () => void): void;
  /** Goes away by itself. */
  done(text: string): void;
  clear(): void;
}

/** Milliseconds that a text stays. */
const SHORT = 2500;
const LONG = 12_000;
/** Characters of a text that says again what was typed, which can be anything; its beginning and end say what is wrong. */
const MOST = 300;

export function newToast(): Toast {
  const words = h('p', { role: 'alert' });
  const retry = h('span', {});
  const element = h(
    'div',
    { class: 'toast', hidden: true },
    words,
    retry,
    button('Close', () => clear(), { class: 'plain' }),
  );
  let leaves: ReturnType<typeof setTimeout> | undefined;

  function show(text: string, kind: string): void {
    clearTimeout(leaves);
    element.className = `toast ${kind}`;
    element.hidden = false;
    words.textContent = text.length <= MOST ? text : `${text.slice(0, MOST / 2)} … ${text.slice(-MOST / 2)}`;
    retry.replaceChildren();
  }
  function clear(): void {
    clearTimeout(leaves);
    element.hidden = true;
    words.textContent = '';
  }
  return {
    element,
    get text() {
      return words.textContent;
    },
    clear,
    problem(text, again) {
      show(text, 'problem');
      if (again === undefined) leaves = setTimeout(clear, LONG);
      else retry.append(button('Try again', again));
    },
    done(text) {
      show(text, 'done');
      leaves = setTimeout(clear, SHORT);
    },
  };
}
