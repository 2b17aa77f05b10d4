/** A value that the browser keeps between visits, as far as it lets pages keep any; else it lasts as long as the page. */
import { effect, type Signal, signal } from '@preact/signals';

export function kept<T>(name: string, otherwise: T): Signal<T> {
  const value = signal(read() ?? otherwise);
  effect(() => {
    const text = JSON.stringify(value.value);
    try {
      localStorage.setItem(name, text);
    } catch {}
  });
  return value;

  function read(): T | null {
    try {
      return JSON.parse(localStorage.getItem(name) ?? 'null') as T | null;
    } catch {
      return null;
    }
  }
}
