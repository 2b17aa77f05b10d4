/** Buttons, fields, forms and dialogs, made alike everywhere. */
import type { Signal } from '@preact/signals';
import type { ComponentChildren, LabelHTMLAttributes, TargetedEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface ButtonProps {
  readonly press: () => void;
  /** A long description, shown when the pointer rests on the button. */
  readonly title?: string | undefined;
  /** The key that does the same. */
  readonly shortcut?: string;
  readonly class?: string;
  readonly hidden?: boolean;
  /** False: of no use now. It stays where the focus can be, so that keys go on working. */
  readonly available?: boolean;
  readonly current?: 'step' | 'true' | undefined;
  /** Where the content is not its name. */
  readonly name?: string;
  readonly pressed?: boolean;
  readonly children: ComponentChildren;
}

export function Button({
  press,
  title,
  shortcut,
  available,
  current,
  name,
  pressed,
  children,
  ...rest
}: ButtonProps) {
  const words = [title, shortcut && `(${shortcut})`].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      onClick={press}
      title={words || undefined}
      aria-keyshortcuts={shortcut}
      aria-current={current}
      aria-label={name}
      aria-pressed={pressed}
      aria-disabled={available === undefined ? undefined : !available}
      {...rest}
    >
      {children}
    </button>
  );
}

/** Outlines in a square of 24; those that are filled have their own shape alone. */
const ICONS = {
  first: 'M6 5v14M19 5l-10 7 10 7z',
  back: 'M16 5l-10 7 10 7z',
  on: 'M8 5l10 7-10 7z',
  last: 'M18 5v14M5 5l10 7-10 7z',
  play: 'M8 5l11 7-11 7z',
  stop: 'M7 7h10v10H7z',
  edit: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  flip: 'M7 20V4M3 8l4-4 4 4M17 4v16M13 16l4 4 4-4',
  share: 'M12 15V3M8 7l4-4 4 4M5 12v8h14v-8',
  settings: 'M3 7h9M18 7h3M3 17h3M12 17h9M15 4v6M9 14v6',
  colours: 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z',
} as const;
type IconName = keyof typeof ICONS;

export function Icon({ of }: { readonly of: IconName }) {
  const isFilled = ['first', 'back', 'on', 'last', 'play', 'stop'].includes(of);
  return (
    <svg viewBox="0 0 24 24" class={isFilled ? 'icon filled' : 'icon'} aria-hidden="true">
      <path d={ICONS[of]} />
    </svg>
  );
}

/** A button with a picture in place of its name, which screen readers read, and people see when the pointer rests on it. */
export function IconButton({
  of,
  name,
  ...rest
}: { readonly of: IconName; readonly name: string } & Omit<ButtonProps, 'children'>) {
  return (
    <Button title={name} {...rest} name={name} class={`quiet iconic ${rest.class ?? ''}`}>
      <Icon of={of} />
    </Button>
  );
}

/** An input with its title before it. */
export function Field({ title, children, ...rest }: { readonly title: string } & LabelHTMLAttributes) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the input is among the children.
    <label {...rest}>
      <span>{title}</span>
      {children}
    </label>
  );
}

interface FormProps {
  readonly class: string;
  /** The form is not sent anywhere. Texts are without spaces around them. */
  readonly submitted: (texts: Readonly<Record<string, string>>) => void;
  readonly children: ComponentChildren;
}

export function Form({ submitted, children, ...rest }: FormProps) {
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)];
    submitted(Object.fromEntries(fields.map(([name, text]) => [name, String(text).trim()])));
  };
  return (
    <form onSubmit={submit} {...rest}>
      {children}
    </form>
  );
}

interface SelectProps {
  /** Its choices; those without a text of their own say their value. */
  readonly of: readonly (string | readonly [value: string, text: string])[];
  /** The choice that is shown. */
  readonly value?: string | undefined;
  /** The one that is shown at first, where the form keeps what was chosen; left out: the first. */
  readonly chosen?: string;
  readonly changed?: (value: string) => void;
  readonly id?: string;
  readonly name?: string;
  /** Where it has no title beside it. */
  readonly label?: string;
}

export function Select({ of, chosen, changed, label, ...rest }: SelectProps) {
  return (
    <select
      aria-label={label}
      {...(changed && { onChange: ({ currentTarget }) => changed(currentTarget.value) })}
      {...rest}
    >
      {of.map((each) => {
        const [value, text] = typeof each === 'string' ? [each, each] : each;
        return (
          <option key={value} value={value} selected={chosen === undefined ? undefined : value === chosen}>
            {text}
          </option>
        );
      })}
    </select>
  );
}

interface DialogProps {
  /** Its class, and the beginning of the id of its title. */
  readonly name: string;
  readonly title: string;
  readonly closed: () => void;
  readonly children: ComponentChildren;
}

/** A dialog that is open as long as it is there; a press beside it closes it. */
export function Dialog({ name, title, closed, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current!.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes dialogs by Escape.
    <dialog
      ref={element}
      class={name}
      aria-labelledby={`${name}-title`}
      onClose={closed}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <h2 id={`${name}-title`}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The first row of a table: a word for each column. */
export function TableHead({ of }: { readonly of: readonly string[] }) {
  return (
    <thead>
      <tr>
        {of.map((word, column) => (
          <th key={column} scope="col">
            {word}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface ScrollProps {
  readonly class?: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A box for what is too large, which keys scroll. */
export function Scroll({ class: own = '', title, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it.
    <section class={`scroll ${own}`} tabIndex={0} aria-label={title}>
      {children}
    </section>
  );
}

interface MoreProps {
  /** How many entries of the list are shown. */
  readonly shown: Signal<number>;
  readonly all: number;
  readonly step: number;
}

/** Below the beginning of a list: a button that shows as many more entries as it says. */
export function More({ shown, all, step }: MoreProps) {
  const left = all - shown.value;
  if (left <= 0) return null;
  const next = Math.min(step, left);
  return (
    <Button
      press={() => {
        shown.value += next;
      }}
    >
      {next === left ? `${next} more` : `${next} of ${left} more`}
    </Button>
  );
}

/** Words for people who hear the page; people who see it know them by their place. */
export function Spoken({ children }: { readonly children: ComponentChildren }) {
  return <span class="spoken">{children}</span>;
}

/** Moves the focus through a list of buttons by the keys Up, Down, Home and End; returns the button that it came to. */
export function stepThrough(event: KeyboardEvent): HTMLButtonElement | null {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || at < 0) return null;
  event.preventDefault();
  const next = buttons[Math.max(0, Math.min(buttons.length - 1, to))];
  next.focus();
  return next;
}
