/** The endings that Syzygy's files have: files hold no counts, so each is a position to begin with. */
import type { FiledAnswer } from '../server/api-answers.js';
import { button, h } from './dom.js';

/** If there are more endings than this, only those with the fewest men are open. */
const MANY = 40;

/** `files`: those of fewer men first. `open`: a position of an ending was chosen. */
export function filesList(files: readonly FiledAnswer[], open: (position: string) => void): HTMLElement {
  const counts = [...new Set(files.map(({ pieces }) => pieces))];
  return h(
    'section',
    { class: 'files', 'aria-labelledby': 'files-title' },
    h('h3', { id: 'files-title' }, "From Syzygy's files"),
    h(
      'p',
      { class: 'soft' },
      'Press an ending for a position of it. Counts, histograms and lists of positions need tables of its own.',
    ),
    ...counts.map((count) => {
      const some = files.filter(({ pieces }) => pieces === count);
      return h(
        'details',
        { open: files.length <= MANY || count === counts[0] },
        h('summary', {}, `${count} men: ${some.length}`),
        h(
          'ul',
          {},
          ...some.map(({ ending, example }) =>
            h(
              'li',
              {},
              button(ending, () => open(example), { class: 'link' }),
            ),
          ),
        ),
      );
    }),
  );
}
