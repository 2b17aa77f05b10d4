/**
 * Writes a game as it was read, token by token, with the finding for each move as a glyph and a comment behind what the author wrote
 * about it. Nothing of the text is lost; only spaces between moves become ends of lines where lines grow too long. What is there
 * already is not written twice, so a text can be annotated again.
 */

import type { Token } from '../notation/game-text.js';
import type { Study, StudyMove } from '../notation/read-game.js';
import { WrappedText } from '../notation/wrapped.js';
import { tagLines } from '../ui/game-tags.js';
import type { CheckedMove, CheckedStudy } from './check-study.js';
import { claimsText, commentsOf } from './study-text.js';

/** Numeric annotation glyphs: a mistake, and a move without an alternative. */
const GLYPHS: Partial<Record<CheckedMove['verdict'], string>> = { mistake: '$2', forced: '$7', only: '$7' };
/** How authors write the same. */
const SUFFIXES: Readonly<Record<string, string>> = { $2: '?', $7: '□' };

/** What was found of a game. */
type Findings = Pick<CheckedStudy, 'moves' | 'claims' | 'summary'>;

/** A game that is written as it is. */
export const NO_FINDINGS: Findings = { moves: [], claims: [], summary: null };

/** @param replies with the alternatives of the side that has nothing to reach. */
export function annotated(study: Study, findings: Findings, replies = false): string {
  const { source, moves } = study;
  const text = new WrappedText();
  if ('position' in source) return positionText(study, findings, text);
  const { tokens } = source;
  const additions = additionsTo(tokens, moves, findings, replies);
  for (const [i, token] of tokens.entries()) {
    const { before, number, remark, after = [] } = additions.get(i) ?? {};
    if (before !== undefined) addWords(before, text);
    if (before !== undefined) text.separate();
    if (number !== undefined) addWords(number, text);
    if (number !== undefined) text.separate();
    if (remark === undefined) copy(token, text);
    else addRemark(token.text, remark, text);
    for (const piece of after) addWords(piece, text);
    const follows = tokens[i + 1]?.kind;
    if (after.length > 0 && follows !== undefined && follows !== 'close' && follows !== 'space')
      text.separate();
  }
  return String(text);
}

function copy({ kind, text: written, isOpen }: Token, text: WrappedText): void {
  if (kind === 'space') text.addSpace(written);
  else text.add(isOpen === true ? `${written} }` : written);
}

function addWords(piece: string, text: WrappedText): void {
  for (const word of piece.split(' ')) {
    text.separate();
    text.add(word);
  }
}

/** A comment with a remark at its end: not all programs read two comments on a move. */
function addRemark(comment: string, remark: string, text: WrappedText): void {
  const isClosed = comment.startsWith('{') && comment.endsWith('}');
  const inner = isClosed ? comment.slice(0, -1) : comment;
  const words = inner.trimEnd();
  const end = inner.slice(words.length) + (comment.startsWith('{') ? '}' : '');
  // Behind a full stop, a command such as [%clk 0:10:00], or nothing at all, the remark needs no semicolon.
  text.add(/[^.,;:!?\]{]$/.test(words) ? `${words};` : words);
  if (comment.startsWith(';')) text.add(` ${remark}${end}`);
  else {
    addWords(remark, text);
    text.add(end);
  }
}

/** What is added at a token. */
interface Additions {
  /** Before it: a comment, and the number of the move. */
  readonly before?: string;
  readonly number?: string;
  /** Within it, a comment. */
  readonly remark?: string;
  /** Behind it: glyphs and a comment. */
  readonly after?: readonly string[];
}

/** Additions by the places of tokens. */
function additionsTo(
  tokens: readonly Token[],
  moves: readonly StudyMove[],
  findings: Findings,
  replies: boolean,
): Map<number, Additions> {
  const found = new Map(findings.moves.map((move) => [keyOf(move), move]));
  const comments = commentsOf(findings, replies);
  const additions = new Map<number, Additions>();

  function addAfter(at: number, piece: string): void {
    const { after = [], ...others } = additions.get(at) ?? {};
    additions.set(at, { ...others, after: [...after, piece] });
  }

  function walk(line: readonly StudyMove[], depth: number): void {
    for (const [i, move] of line.entries()) {
      for (const variation of move.variations) walk(variation, depth + 1);
      const finding = found.get(keyOf({ ...move, depth, fen: move.before }));
      if (finding === undefined) continue;
      const { glyph, comment } = endsOf(tokens, move.token);
      const nag = GLYPHS[finding.verdict];
      if (nag !== undefined && !move.glyphs.some((each) => each === nag || each === SUFFIXES[nag]))
        addAfter(glyph, nag);
      const said = comments.get(finding) ?? '';
      if (said === '' || move.comments.some((each) => each.replace(/\s+/g, ' ').includes(said))) continue;
      if (comment !== null) {
        additions.set(comment, { ...additions.get(comment), remark: said });
        continue;
      }
      addAfter(glyph, `{${said}}`);
      // Behind a comment, the move of the second player is numbered.
      const next = line[i + 1];
      if (next?.number.endsWith('...') && nextOf(tokens, glyph) === next.token)
        additions.set(next.token, { ...additions.get(next.token), number: next.number });
    }
  }

  walk(moves, 0);
  const written = tokens
    .filter(({ kind }) => kind === 'comment')
    .map(({ text }) => text.replace(/\s+/g, ' '));
  const claims = claimsText(findings).filter((claim) => !written.some((comment) => comment.includes(claim)));
  const first = tokens.findIndex(({ kind }) => kind === 'number' || kind === 'move' || kind === 'result');
  if (claims.length > 0 && first >= 0)
    additions.set(first, { ...additions.get(first), before: `{${claims.join('. ')}}` });
  return additions;
}

/** The last of the glyphs that follow a move, or the move itself, and the last of its comments. */
function endsOf(
  tokens: readonly Token[],
  move: number,
): { readonly glyph: number; readonly comment: number | null } {
  let glyph = move;
  let comment: number | null = null;
  for (let i = move + 1; i < tokens.length; i++) {
    const { kind } = tokens[i];
    if (kind === 'glyph' && comment === null) glyph = i;
    else if (kind === 'comment') comment = i;
    else if (kind !== 'glyph' && kind !== 'space' && kind !== 'escape' && kind !== 'other') break;
  }
  return { glyph, comment };
}

/** The next token that is neither space nor an escaped line. */
function nextOf(tokens: readonly Token[], at: number): number {
  let next = at + 1;
  while (tokens[next]?.kind === 'space' || tokens[next]?.kind === 'escape') next++;
  return next;
}

/** Operations that the tags of a game have in another form. */
const IN_TAGS = ['hmvc', 'fmvn', 'id'];

/** A position as a game without moves: its operations become a comment, and remarks before it stay. */
function positionText(study: Study, findings: Findings, text: WrappedText): string {
  const { source, title, fen, operations } = study;
  for (const token of source.tokens) {
    // In a game, only a percent sign makes a line a remark.
    copy(token.text.startsWith('#') ? { ...token, text: `% ${token.text}` } : token, text);
  }
  text.add(tagLines({ ...(operations.id !== undefined && { Event: title }), SetUp: '1', FEN: fen }));
  text.addSpace('\n');
  const others = Object.entries(operations).filter(([opcode]) => !IN_TAGS.includes(opcode));
  const remarks = [...others.map(operationText), claimsText(findings).join('. ')].filter(
    (each) => each !== '',
  );
  if (remarks.length > 0) text.add(`{${remarks.join(' ').replaceAll('}', ')')}} `);
  text.add('*\n\n');
  return String(text);
}

function operationText([opcode, operands]: readonly [string, readonly string[]]): string {
  const words = operands.map((operand) => (/\s/.test(operand) ? JSON.stringify(operand) : operand));
  return `${[opcode, ...words].join(' ')};`;
}

/** The same position may come twice, so the move is part of the key. */
const keyOf = ({ number, san, depth, fen }: Pick<CheckedMove, 'number' | 'san' | 'depth' | 'fen'>) =>
  `${depth} ${number} ${san} ${fen}`;
