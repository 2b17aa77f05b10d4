/** Elements made in one expression. */

/** Functions listen to the event that they are named after; true stands for an attribute without value, false for none. */
export type Attributes = Readonly<Record<string, string | number | boolean | ((event: never) => void)>>;
export type Child = Node | string;

export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return filled(document.createElement(name), attributes, children);
}

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value as (event: Event) => void);
    else if (value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

export interface ButtonLook {
  /** A long description, shown when the pointer rests on the button. */
  readonly title?: string;
  /** The key that does the same. */
  readonly key?: string;
  readonly class?: string;
}

export function button(text: Child, press: () => void, look: ButtonLook = {}): HTMLButtonElement {
  const title = [look.title, look.key && `(${look.key})`].filter(Boolean).join(' ');
  return h(
    'button',
    {
      type: 'button',
      click: press,
      ...(look.class && { class: look.class }),
      ...(title && { title }),
      ...(look.key && { 'aria-keyshortcuts': look.key }),
    },
    text,
  );
}

/** Words for people who hear the page; people who see it know them by their place. */
export function spoken(text: string): HTMLElement {
  return h('span', { class: 'spoken' }, text);
}

/** Sets the text only if it is another, so that what reads changes aloud is not disturbed. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
