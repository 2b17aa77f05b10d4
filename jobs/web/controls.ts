/** Forms, fields, lists of choices and dialogs, made alike everywhere. */
import { type Attributes, type Child, h } from './dom.js';

/** A form that is not sent anywhere: `submitted` is called instead. */
export function form(look: string, submitted: () => void, ...children: readonly Child[]): HTMLFormElement {
  return h(
    'form',
    {
      class: look,
      submit: (event: Event) => {
        event.preventDefault();
        submitted();
      },
    },
    ...children,
  );
}

/** An input with its title before it. */
export function field(title: string, input: HTMLElement, attributes: Attributes = {}): HTMLLabelElement {
  return h('label', attributes, h('span', {}, title), input);
}

/** Choices of a select; those without a text of their own say their value. */
export function options(
  all: readonly (string | readonly [value: string, text: string])[],
): HTMLOptionElement[] {
  return all.map((each) => {
    const [value, text] = typeof each === 'string' ? [each, each] : each;
    return h('option', { value }, text);
  });
}

/** A dialog, which a press beside it closes. `name`: its class, and the beginning of the id of its title. */
export function dialog(
  name: string,
  title: string,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLDialogElement {
  const made = h(
    'dialog',
    {
      class: name,
      'aria-labelledby': `${name}-title`,
      click: ({ target }: Event) => {
        if (target === made) made.close();
      },
      ...attributes,
    },
    h('h2', { id: `${name}-title` }, title),
    ...children,
  );
  return made;
}
