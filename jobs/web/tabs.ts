/** Panels of the page, one shown at a time: a list of tabs, as keys and screen readers know it (WAI-ARIA, pattern "Tabs"). */
import { h } from './dom.js';

export interface Tab {
  readonly name: string;
  readonly title: string;
  readonly content: HTMLElement;
}

export interface Tabs {
  readonly element: HTMLElement;
  /** Shows a panel; null: none, which narrow windows can do. */
  show(name: string | null): void;
}

/** Here a panel has a place of its own. Elsewhere it takes room from the board, so that it is opened and closed. */
const wide = matchMedia('(min-width: 1240px)');

/** `changed`: whether a panel is shown now. */
export function newTabs(tabs: readonly Tab[], changed: (isOpen: boolean) => void): Tabs {
  let shown: string | null = null;
  const panels = tabs.map(({ name, content }) =>
    h('div', { role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}` }, content),
  );
  const heads = tabs.map(({ name, title }) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${name}`,
        'aria-controls': `panel-${name}`,
        click: () => show(name === shown ? null : name),
      },
      title,
    ),
  );

  function show(name: string | null): void {
    shown = name ?? (wide.matches ? (shown ?? tabs[0].name) : null);
    for (const [i, tab] of tabs.entries()) {
      const isShown = tab.name === shown;
      panels[i].hidden = !isShown;
      heads[i].setAttribute('aria-selected', String(isShown));
      heads[i].tabIndex = isShown || (shown === null && i === 0) ? 0 : -1;
    }
    changed(shown !== null);
  }

  function keydown(event: KeyboardEvent): void {
    const at = heads.indexOf(event.target as HTMLButtonElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: heads.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (to + heads.length) % heads.length;
    show(tabs[next].name);
    heads[next].focus();
  }

  wide.addEventListener('change', () => show(null));
  show(null);
  return {
    show,
    element: h(
      'div',
      { class: 'tabs' },
      h('div', { role: 'tablist', 'aria-label': 'More', keydown }, ...heads),
      ...panels,
    ),
  };
}
