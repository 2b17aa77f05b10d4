/** A value that the browser keeps between visits, as far as it lets pages keep any. */
export class Kept<T> {
  #value: T;

  constructor(
    private readonly name: string,
    otherwise: T,
  ) {
    this.#value = otherwise;
    try {
      const found = localStorage.getItem(name);
      if (found !== null) this.#value = JSON.parse(found) as T;
    } catch {
      // Nothing of use is kept.
    }
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    this.#value = value;
    try {
      localStorage.setItem(this.name, JSON.stringify(value));
    } catch {
      // It lasts as long as the page, then.
    }
  }
}
