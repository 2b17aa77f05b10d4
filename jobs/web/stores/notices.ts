/** One line at the foot of the window that says what went wrong, or was done. */
import { signal } from '@preact/signals';
import { UnreachableError } from '../source.js';

export interface Notice {
  readonly text: string;
  readonly kind: 'problem' | 'done';
  /** What a button tries once more. */
  readonly again?: (() => void) | undefined;
}

export class Notices {
  readonly latest = signal<Notice | null>(null);

  /** @param again is offered where no answer came at all: elsewhere the answer would be the same. */
  failed = (error: Error, again?: () => void): void => {
    const isLost = error instanceof UnreachableError;
    this.latest.value = { text: error.message, kind: 'problem', again: isLost ? again : undefined };
  };

  done(text: string): void {
    this.latest.value = { text, kind: 'done' };
  }

  close = (): void => {
    this.latest.value = null;
  };

  /** Copies a text, or says that it cannot. */
  async copy(text: string | Promise<string>, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(await text);
      this.done(`${what} copied.`);
    } catch {
      this.failed(new Error('The browser does not let this page copy: take the text from the page itself.'));
    }
  }
}
