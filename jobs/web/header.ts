/** The head of the page: which game and which metric, and what else there is. */
import { metrics } from '../../pipeline/game/value.js';
import type { GameAnswer } from '../server/api-answers.js';
import { field } from './controls.js';
import { button, h } from './dom.js';
import type { PagePlace } from './place.js';
import { metricWords } from './value-words.js';

export interface Header {
  readonly element: HTMLElement;
  show(game: GameAnswer, metric: string): void;
}

export interface HeaderEvents {
  go(place: Partial<PagePlace>): void;
  shortcuts(): void;
}

/** `monitor`: whether runs can be watched. */
export function newHeader(
  games: readonly GameAnswer[],
  monitor: boolean,
  theme: HTMLButtonElement,
  { go, shortcuts }: HeaderEvents,
): Header {
  const game = h(
    'select',
    { id: 'game', change: () => go({ game: game.value }) },
    ...games.map(({ name }) => h('option', { value: name }, name)),
  );
  const metric = h('select', {
    id: 'metric',
    change: () => {
      const chosen = metrics.find((each) => each === metric.value);
      if (chosen) go({ metric: chosen });
    },
  });
  return {
    element: h(
      'header',
      {},
      h('h1', {}, 'mergemate'),
      ...(games.length > 0 ? [field('Game ', game), field('Metric ', metric)] : []),
      h('span', { class: 'space' }),
      ...(monitor ? [h('a', { href: 'monitor', class: 'broad' }, 'Monitor')] : []),
      theme,
      button('Keys', shortcuts, { title: 'Which keys do what', key: '?', class: 'keys' }),
    ),
    show(of, chosen) {
      game.value = of.name;
      metric.replaceChildren(
        ...of.metrics.map((each) => h('option', { value: each, title: metricWords(each, of.name) }, each)),
      );
      metric.value = chosen;
    },
  };
}
