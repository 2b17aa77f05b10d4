/** Text in whatever encoding its author's program wrote it. Runs in browsers. */

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');
const NEWLINE = 0x0a;

/** Reads UTF-8; lines that are not UTF-8 are read as Windows-1252, of which Latin-1 is a part. */
export function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return [...linesIn(bytes)].map(decodedLine).join('');
  }
}

function decodedLine(line: Uint8Array): string {
  try {
    return utf8.decode(line);
  } catch {
    return windows1252.decode(line);
  }
}

/** Lines with their ends. */
function* linesIn(bytes: Uint8Array): Generator<Uint8Array> {
  let at = 0;
  while (at < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    yield bytes.subarray(at, end);
    at = end;
  }
}
