/**
 * A column of texts as Arrow stores them: the UTF-8 bytes of all texts one after the other, and where each ends. Millions of strings
 * that are kept until a batch is full cost more than everything else that an export does.
 */
export interface Texts {
  readonly bytes: Uint8Array;
  /** Starts with 0 and has one more element than there are texts: text i is bytes[ends[i] .. ends[i + 1]). */
  readonly ends: Int32Array;
  /** 1 for each row that has no text; null if all have one. */
  readonly missing: Uint8Array | null;
}

/** Collects the texts of a batch. {@link TextColumn.take} hands out views of its memory, which the next batch overwrites. */
export class TextColumn {
  length = 0;
  private bytes: Uint8Array;
  private ends: Int32Array;
  private readonly missing: Uint8Array;
  private hasMissing = false;

  constructor(rows: number) {
    this.bytes = new Uint8Array(32 * rows);
    this.ends = new Int32Array(rows + 1);
    this.missing = new Uint8Array(rows);
  }

  addNone(): void {
    this.hasMissing = true;
    this.missing[this.length++] = 1;
    this.ends[this.length] = this.ends[this.length - 1];
  }

  /** The texts that were added since the last call. */
  take(): Texts {
    const { length, hasMissing } = this;
    this.length = 0;
    this.hasMissing = false;
    return {
      bytes: this.bytes.subarray(0, this.ends[length]),
      ends: this.ends.subarray(0, length + 1),
      missing: hasMissing ? this.missing.subarray(0, length) : null,
    };
  }

  add(text: string): void {
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
    this.missing[this.length++] = 0;
    this.ends[this.length] = end;
  }
}

const encoder = new TextEncoder();
