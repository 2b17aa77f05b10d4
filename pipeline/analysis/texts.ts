/**
 * A column of texts as Arrow stores them: the UTF-8 bytes of all texts one after the other, and where each ends. Millions of strings
 * that are kept until a batch is full cost more than everything else that an export does.
 */
export interface Texts {
  readonly bytes: Uint8Array;
  /** Starts with 0 and has one more element than there are texts: text i is bytes[ends[i] .. ends[i + 1]). */
  readonly ends: Int32Array;
  /** What each row is; null if all rows are texts. */
  readonly kinds: Uint8Array | null;
}

/** Kinds of rows in a column of texts. */
export const TextKind = {
  text: 0,
  /** The row has no text. */
  none: 1,
  /** An integer by its digits: JSON writes it without quotes. */
  integer: 2,
} as const;

/** Collects the texts of a batch. {@link TextColumn.take} hands out views of its memory, which the next batch overwrites. */
export class TextColumn {
  length = 0;
  private bytes: Uint8Array;
  private ends: Int32Array;
  private kinds: Uint8Array;
  private isPlain = true;

  constructor(rows: number) {
    this.bytes = new Uint8Array(32 * rows);
    this.ends = new Int32Array(rows + 1);
    this.kinds = new Uint8Array(rows);
  }

  add(text: string): void {
    this.put(text, TextKind.text);
  }

  addNone(): void {
    this.put('', TextKind.none);
  }

  addInteger(digits: string): void {
    this.put(digits, TextKind.integer);
  }

  /** The texts that were added since the last call. */
  take(): Texts {
    const { length, isPlain } = this;
    this.length = 0;
    this.isPlain = true;
    return {
      bytes: this.bytes.subarray(0, this.ends[length]),
      ends: this.ends.subarray(0, length + 1),
      kinds: isPlain ? null : this.kinds.subarray(0, length),
    };
  }

  private put(text: string, kind: number): void {
    let end = this.ends[this.length];
    // A unit of UTF-16 takes at most three bytes.
    if (end + 3 * text.length > this.bytes.length) {
      const longer = new Uint8Array(2 * (this.bytes.length + 3 * text.length));
      longer.set(this.bytes);
      this.bytes = longer;
    }
    let at = 0;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7f) break;
      this.bytes[end++] = unit;
    }
    if (at < text.length) end += encoder.encodeInto(text.slice(at), this.bytes.subarray(end)).written;
    this.kinds[this.length++] = kind;
    if (kind !== TextKind.text) this.isPlain = false;
    this.ends[this.length] = end;
  }
}

const encoder = new TextEncoder();
