/**
 * JSON values, one after the other, as tokens: stream-json's tokenizer, fed directly. As a stage of a stream it takes
 * several times as long.
 */
import { getManyValues, isMany, none } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { jsonVerifier } from 'stream-json/core/utils/verifier.js';

export type { Token };

/** The text is not JSON; {@link newVerifier} finds the place. */
export class SyntaxProblem extends Error {}

/** Takes the text piece by piece, and null at its end; returns the tokens that are complete. Throws SyntaxProblem. */
type Tokenizer = (piece: string | null) => readonly Token[];

export function newTokenizer(): Tokenizer {
  const parse = jsonParser({ streamValues: false, jsonStreaming: true });
  return (piece) => {
    const found = problemBy(() => parse(piece ?? (none as unknown as string)));
    if (found instanceof SyntaxProblem) throw found;
    return isMany(found) ? (getManyValues(found) as Token[]) : [];
  };
}

interface SyntaxPlace {
  /** UTF-16 code units before it. */
  readonly unit: number;
  readonly expected: string;
}

/** Takes the text likewise, and returns where it is no longer JSON. */
export function newVerifier(): (piece: string | null) => SyntaxPlace | null {
  const verify = jsonVerifier({ jsonStreaming: true });
  return (piece) => {
    const found = problemBy(() => verify(piece ?? (none as unknown as string)));
    if (!(found instanceof SyntaxProblem)) return null;
    const { offset, message } = found.cause as Error & { offset: number };
    return { unit: offset, expected: expectedOf(message) };
  };
}

/** stream-json's errors are plain ones that begin like this. */
const ITS_ERROR = /^(Parser|ERROR at \d+ \(\d+, \d+\): Verifier) /;

function problemBy<T>(run: () => T): T | SyntaxProblem {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error && ITS_ERROR.test(error.message))) throw error;
    return new SyntaxProblem(error.message, { cause: error });
  }
}

function expectedOf(message: string): string {
  if (message.includes('escaped characters')) return 'a character that may stand in a string, or an escape';
  if (message.includes("unexpected token ']'")) return 'a value';
  if (message.includes("unexpected token '}'")) return 'an object key';
  if (message.includes('a string value')) return 'the end of a string';
  return /expected (.*)$/.exec(message)?.[1] ?? 'JSON';
}
