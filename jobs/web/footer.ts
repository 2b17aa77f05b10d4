/** The foot of the page: whose work it uses. */
import { h } from './dom.js';

/** `monitor`: whether runs can be watched; telephones have no room for that at the head. */
export function footer(monitor: boolean): HTMLElement {
  return h(
    'footer',
    { class: 'soft' },
    ...(monitor ? [h('a', { href: 'monitor', class: 'narrow' }, 'Monitor'), ' '] : []),
    'Chess men by Cburnett and Rfc1394, modified by shaack, ',
    h('a', { href: 'https://creativecommons.org/licenses/by-sa/3.0/', rel: 'license' }, 'CC BY-SA 3.0'),
    '. ',
    h('a', { href: 'licences.txt' }, 'Licences of the code'),
    '.',
  );
}
