/** The foot of the page: whose work it uses. */
import { h } from './dom.js';

export function footer(): HTMLElement {
  return h(
    'footer',
    { class: 'soft' },
    'Chess men by Cburnett and Rfc1394, modified by shaack, ',
    h('a', { href: 'https://creativecommons.org/licenses/by-sa/3.0/', rel: 'license' }, 'CC BY-SA 3.0'),
    '. ',
    h('a', { href: 'licences.txt' }, 'Licences of the code'),
    '.',
  );
}
