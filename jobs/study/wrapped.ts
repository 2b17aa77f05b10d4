/** Lines of moves. */

/** Columns of a line, as PGN's export format has it. */
const COLUMNS = 80;

/** The tokens in as few lines as they need. */
export function wrapped(tokens: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const token of tokens) {
    if (line !== '' && line.length + 1 + token.length > COLUMNS) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? token : ` ${token}`;
  }
  return [...lines, line].join('\n');
}
