/** The position as text: to read, copy, or paste another. */
import { form } from './controls.js';
import { h } from './dom.js';

export interface PositionForm {
  readonly element: HTMLElement;
  show(position: string): void;
}

export function newPositionForm(open: (position: string) => void): PositionForm {
  const input = h('input', {
    id: 'position',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
    focus: () => input.select(),
  });
  const element = form(
    'position',
    () => {
      if (input.value.trim() !== '') open(input.value.trim());
    },
    h('label', { for: 'position' }, 'Position'),
    input,
    h('button', { type: 'submit' }, 'Show'),
  );
  return { element, show: (position) => void (input.value = position) };
}
