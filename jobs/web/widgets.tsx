/** Buttons, fields, forms and dialogs, made alike everywhere. */
import type { ComponentChildren, LabelHTMLAttributes, TargetedEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isDark, switchTheme } from './theme.js';

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
  readonly children: ComponentChildren;
}

export function Button({ press, title, shortcut, available, current, children, ...rest }: ButtonProps) {
  const words = [title, shortcut && `(${shortcut})`].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      onClick={press}
      title={words || undefined}
      aria-keyshortcuts={shortcut}
      aria-current={current}
      aria-disabled={available === undefined ? undefined : !available}
      {...rest}
    >
      {children}
    </button>
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
  /** The form is not sent anywhere. */
  readonly submitted: (texts: Readonly<Record<string, string>>) => void;
  readonly children: ComponentChildren;
}

export function Form({ submitted, children, ...rest }: FormProps) {
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    submitted(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
  };
  return (
    <form onSubmit={submit} {...rest}>
      {children}
    </form>
  );
}

interface OptionsProps {
  readonly of: readonly (string | readonly [value: string, text: string])[];
  /** The value that is chosen at first: a select of the page has no default of its own. Left out: the first. */
  readonly chosen?: string;
}

/** Choices of a select; those without a text of their own say their value. */
export function Options({ of, chosen }: OptionsProps) {
  return of.map((each) => {
    const [value, text] = typeof each === 'string' ? [each, each] : each;
    return (
      <option key={value} value={value} selected={chosen === undefined ? undefined : value === chosen}>
        {text}
      </option>
    );
  });
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

/** Words for people who hear the page; people who see it know them by their place. */
export function Spoken({ children }: { readonly children: ComponentChildren }) {
  return <span class="spoken">{children}</span>;
}

export function ThemeButton() {
  const other = isDark.value ? 'Light' : 'Dark';
  return (
    <button type="button" aria-label={`Change to ${other.toLowerCase()} colours`} onClick={switchTheme}>
      {other}
    </button>
  );
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
