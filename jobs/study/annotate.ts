/** Writes games as PGN, or PDN, with the finding for each move as a comment. */
import type { CheckedMove, CheckedStudy } from './check-study.js';
import { isFirst } from './first-positions.js';
import type { Study, StudyMove } from './read-game.js';
import { wrapped } from './wrapped.js';

/** Numeric annotation glyphs: a mistake, and a move without an alternative. */
const GLYPHS: Partial<Record<CheckedMove['verdict'], string>> = { mistake: '$2', forced: '$7', only: '$7' };

/** @param words the comment on a move. */
export function annotated(
  { tags, fen, moves }: Study,
  checked: CheckedStudy,
  words: (move: CheckedMove) => string,
): string {
  const found = new Map(checked.moves.map((move) => [keyOf(move), move]));

  function tokens(line: readonly StudyMove[], depth: number): string[] {
    let needsNumber = true;
    return line.flatMap((move) => {
      const finding = found.get(keyOf({ ...move, depth, fen: move.before }));
      const number = needsNumber || !move.number.endsWith('...') ? [move.number] : [];
      const glyph = finding === undefined ? undefined : GLYPHS[finding.verdict];
      const comment = isWorthWords(finding) ? `{${words(finding)}}`.split(' ') : [];
      const lines = move.variations.flatMap((variation) => bracketed(tokens(variation, depth + 1)));
      needsNumber = comment.length + lines.length > 0;
      return [...number, move.san, ...(glyph === undefined ? [] : [glyph]), ...comment, ...lines];
    });
  }

  const own = { ...tags, ...(tags.FEN === undefined && !isFirst(fen) ? { FEN: fen, SetUp: '1' } : {}) };
  const head = Object.entries(own).map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]`);
  const body = wrapped([...tokens(moves, 0), tags.Result ?? '*']);
  return `${head.join('\n')}${head.length > 0 ? '\n\n' : ''}${body}\n\n`;
}

/** Moves without a choice and moves in lost positions are all alike. */
function isWorthWords(finding: CheckedMove | undefined): finding is CheckedMove {
  return finding !== undefined && finding.verdict !== 'lost' && finding.verdict !== 'forced';
}

/** The same position may come twice, so the move is part of the key. */
const keyOf = ({ number, san, depth, fen }: Pick<CheckedMove, 'number' | 'san' | 'depth' | 'fen'>) =>
  `${depth} ${number} ${san} ${fen}`;

function bracketed(tokens: readonly string[]): string[] {
  const [first = '', ...rest] = tokens;
  if (rest.length === 0) return [`(${first})`];
  return [`(${first}`, ...rest.slice(0, -1), `${rest.at(-1)})`];
}
