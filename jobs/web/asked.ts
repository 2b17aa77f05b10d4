/** Questions whose answers views show: of several only the latest counts. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

type Failed = (error: Error, again: () => void) => void;

/** The answer to the latest question, and whether one is awaited. A failure is reported once, with what tries again. */
export class Asked<T> {
  readonly answer = signal<T | null>(null);
  readonly busy: ReadonlySignal<boolean>;
  readonly #open = signal<AbortController | null>(null);

  constructor(private readonly failed: Failed) {
    this.busy = computed(() => this.#open.value !== null);
  }

  /** Resolves to the answer; to null if it failed, or if a later question overtook it, which also ends its requests. */
  async ask(
    question: (signal: AbortSignal) => Promise<T>,
    again: () => void = () => void this.ask(question, again),
  ): Promise<T | null> {
    this.cancel();
    const mine = new AbortController();
    this.#open.value = mine;
    try {
      const answer = await question(mine.signal);
      if (this.#open.peek() !== mine) return null;
      this.answer.value = answer;
      return answer;
    } catch (error) {
      if (this.#open.peek() === mine) this.failed(error as Error, again);
      return null;
    } finally {
      if (this.#open.peek() === mine) this.#open.value = null;
    }
  }

  cancel(): void {
    this.#open.peek()?.abort();
    this.#open.value = null;
  }

  clear(): void {
    this.cancel();
    this.answer.value = null;
  }
}

/** Questions of a view, which end with it. */
export function useAsked<T>(failed: Failed): Asked<T> {
  const asked = useMemo(() => new Asked<T>(failed), []);
  useEffect(() => () => asked.cancel(), []);
  return asked;
}
