/** Lines of moves. */

/** Columns of a line, as PGN's export format has it. */
const COLUMNS = 80;

/** A text that grows by pieces, and begins a new line where a piece does not fit behind a space. */
export class WrappedText {
  private text = '';
  private column = 0;
  /** Space since the last piece, not yet written. */
  private space = '';

  /** Writes a piece whole, whatever its length. A line never begins with what a reader would take for something else. */
  add(piece: string): void {
    const [first] = piece.split('\n', 1);
    const fits = this.column + this.space.length + first.length <= COLUMNS;
    const mayWrap = this.space !== '' && !this.space.includes('\n') && !/^[%#[]/.test(piece);
    this.write(fits || !mayWrap ? this.space : '\n');
    this.space = '';
    this.write(piece);
  }

  addSpace(space: string): void {
    this.space += space;
  }

  /** One space, unless there is some. */
  separate(): void {
    if (this.space === '' && this.text !== '' && !/[\s(]$/.test(this.text)) this.space = ' ';
  }

  /** The text with the space at its end. */
  toString(): string {
    return this.text + this.space;
  }

  private write(text: string): void {
    const newline = text.lastIndexOf('\n');
    this.column = newline < 0 ? this.column + text.length : text.length - newline - 1;
    this.text += text;
  }
}

/** The tokens in as few lines as they need. */
export function wrapped(tokens: readonly string[]): string {
  const text = new WrappedText();
  for (const token of tokens) {
    text.separate();
    text.add(token);
  }
  return String(text);
}
