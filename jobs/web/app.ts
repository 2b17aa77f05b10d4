/** The page put together: its parts, the events they exchange, and what it begins with. */
import type { GameAnswer } from '../server/api-answers.js';
import { cachedSource } from './cached-source.js';
import { h } from './dom.js';
import { footer } from './footer.js';
import type { Line } from './line.js';
import { newActs } from './page/acts.js';
import { newParts } from './page/new-parts.js';
import type { PageParts } from './page/parts.js';
import { newViews } from './page/views.js';
import { type Find, findOf, placeOf } from './place.js';
import type { TableSource } from './source.js';
import { newTabs, type Tabs } from './tabs.js';

/** `all`: the games that there are tables of, one at least. `monitor`: whether there is a page on which runs can be watched. */
export async function startApp(
  asked: TableSource,
  all: readonly GameAnswer[],
  monitor: boolean,
): Promise<void> {
  const source = cachedSource(asked);
  const main = h('main');
  const views = newViews(
    source,
    () => parts,
    main,
    () => acts.endSetup(),
  );
  const acts = newActs(
    () => parts,
    views,
    main,
    () => tabs.show(null),
  );
  const parts: PageParts = newParts({ source, all, monitor, acts, views });
  const tabs = layOut(main, parts, monitor);

  addEventListener(
    'popstate',
    ({ state }) => void acts.open(placeOf(location.hash), 'none', state ?? undefined),
  );
  const wanted = wantedList();
  // Shows what the address asks for. If that fails, shows an example of its game and says why.
  const line = (history.state as Line | null) ?? undefined;
  const place = placeOf(location.hash);
  const { endings, toast } = parts;
  if (await acts.open(place, 'replace', line)) {
    if (wanted !== null) void endings.find(wanted);
    return;
  }
  const problem = toast.text;
  const { name } = all.find((game) => game.name === place.game) ?? all[0];
  if (await acts.open({ game: name }, 'replace')) toast.problem(problem);
}

function layOut(main: HTMLElement, parts: PageParts, monitor: boolean): Tabs {
  const { playBoard, tools, practice, verdict, clock, setup, moves, record, form } = parts;
  const { header, toast, shortcuts, share, endings, games } = parts;
  const tabs = newTabs(
    [
      { name: 'endings', title: 'Endings', content: endings.element },
      { name: 'practice', title: 'Practise', content: practice.element },
      { name: 'games', title: 'Games', content: games.element },
    ],
    (isOpen) => main.classList.toggle('with-panel', isOpen),
  );
  main.append(
    h('div', { class: 'area-board' }, playBoard.element),
    h('div', { class: 'area-tools' }, tools.element),
    h(
      'div',
      { class: 'area-value' },
      practice.status,
      verdict.element,
      clock.element,
      setup.element,
      moves.element,
      record.element,
    ),
    h('div', { class: 'area-form' }, form.element),
    h('div', { class: 'area-more' }, tabs.element),
  );
  document.body.replaceChildren(
    header.element,
    main,
    footer(monitor),
    toast.element,
    shortcuts.element,
    share.element,
  );
  return tabs;
}

/** The list that the address asks for, if it can be asked for. */
function wantedList(): Find | null {
  try {
    return findOf(location.hash);
  } catch {
    return null;
  }
}
