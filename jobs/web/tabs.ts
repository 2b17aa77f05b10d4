/** Parts of the page, one shown at a time: a list of tabs, as keys and screen readers know it (WAI-ARIA, pattern "Tabs"). */
import { h } from './dom.js';

export interface Tab {
  readonly name: string;
  readonly title: string;
  readonly content: HTMLElement;
}

/** The first is shown. */
export function newTabs(tabs: readonly Tab[]): { readonly element: HTMLElement } {
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
        click: () => show(name),
      },
      title,
    ),
  );

  function show(name: string): void {
    for (const [i, tab] of tabs.entries()) {
      const isShown = tab.name === name;
      panels[i].hidden = !isShown;
      heads[i].setAttribute('aria-selected', String(isShown));
      heads[i].tabIndex = isShown ? 0 : -1;
    }
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

  show(tabs[0].name);
  return {
    element: h(
      'div',
      { class: 'tabs' },
      h('div', { role: 'tablist', 'aria-label': 'More', keydown }, ...heads),
      ...panels,
    ),
  };
}
