/** A query of the positions of an ending: result, side, plies, where men stand. */

import { readPlies } from '../../positions/ply-range.js';
import type { PositionsQuery } from '../../positions/query.js';
import type { GameAnswer } from '../../server/api-answers.js';
import { capital } from '../../ui/verdict.js';
import { field, form, options } from '../controls.js';
import { h } from '../dom.js';
import { queryOf, RESULTS, textsOf } from './query-texts.js';

export interface QueryForm {
  readonly element: HTMLFormElement;
  /** The query that the fields say. Throws Error for plies that are none. */
  read(): PositionsQuery;
  show(game: GameAnswer, query: PositionsQuery): void;
}

/** Which positions, beside the fields. */
const KINDS = [
  ['', 'all positions'],
  ['longest', 'the longest only'],
  ['zugzwang', 'mutual zugzwangs'],
] as const;

export function newQueryForm(asked: () => void): QueryForm {
  const kind = h('select', { name: 'kind' }, ...options(KINDS));
  const result = h('select', { name: 'result' });
  const side = h('select', { name: 'side' });
  const plies = h('input', { name: 'plies', placeholder: '19 or 10..19', autocomplete: 'off', size: 9 });
  const on = h('input', {
    name: 'on',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    size: 9,
  });
  const men = field('Men on', on);
  const element = form(
    'query',
    asked,
    field('Which', kind),
    field('Result', result),
    field('To move', side),
    field('Plies', plies),
    men,
    h('button', { type: 'submit', class: 'main' }, 'Find'),
  );
  return {
    element,
    read() {
      const texts = { result: result.value, side: side.value, on: on.value.trim() };
      return {
        ...queryOf(texts),
        plies: plies.value.trim() === '' ? undefined : readPlies(plies.value),
        ...(kind.value !== '' && { [kind.value]: true }),
      };
    },
    show({ name, colours }, query) {
      result.replaceChildren(...options([['', 'any'], ...RESULTS]));
      side.replaceChildren(
        ...options([['', 'either'], ...colours.map((each) => [each, capital(each)] as const)]),
      );
      const texts = textsOf(query);
      result.value = texts.result ?? '';
      side.value = texts.side ?? '';
      plies.value = texts.plies ?? '';
      on.value = texts.on ?? '';
      kind.value = texts.longest ? 'longest' : texts.zugzwang ? 'zugzwang' : '';
      on.placeholder = name === 'chess' ? 'Kg1 pa' : 'W18 BK3';
      men.title =
        name === 'chess' ? 'Men on squares, files or ranks: Kg1 pa R8' : 'Pieces on squares: W18 BK3';
      men.hidden = name !== 'chess' && name !== 'checkers';
    },
  };
}
