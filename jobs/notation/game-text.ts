/**
 * The text of games, PGN as well as PDN, cut into tokens and games. Every character of the text is in exactly one token, in its order, so
 * whoever writes a game back has nothing to lose. A game is read from its tokens by `read-game.ts`.
 *
 * The text comes line by line, and only a comment in braces goes on over a line's end. Two things end a game: a tag that follows moves
 * (or follows an empty line, if the game has a tag of that name), and a move 1 that follows a result or an empty line. A brace that is
 * never closed would swallow all games that follow: if another brace opens before one closes, or none closes at all, the comment ends
 * before the first line in it that looks like the tags of the next game.
 *
 * Costs memory for one game at a time, and time in proportion to the text. A game that is longer than any game comes in pieces, each of
 * which holds as much as is read at a time.
 */

type TokenKind =
  | 'tag'
  /** In braces, or from a semicolon to the end of the line. */
  | 'comment'
  /** A line that begins with "%" or "#". */
  | 'escape'
  | 'space'
  | 'number'
  | 'move'
  /** "$1", "!?" and their like. */
  | 'glyph'
  | 'open'
  | 'close'
  | 'result'
  /** Text without meaning for the game: dots, brackets that belong to nothing, "e.p.", "+-", words before the first move. */
  | 'other';

export interface Token {
  readonly kind: TokenKind;
  /** As it is written. */
  readonly text: string;
  /** Of the source, from 1. */
  readonly line: number;
  /** A tag's name and value. */
  readonly name?: string;
  readonly value?: string;
  /** True of a comment whose brace is never closed. */
  readonly isOpen?: boolean;
}

export interface GameText {
  readonly tokens: readonly Token[];
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** Of a game that is longer than `MOST_CHARS`: whether this is its first piece, or one of the others. */
  readonly piece?: 'first' | 'other';
}

/** A line that is a position, and what stood before it since the last game. */
export interface PositionLine extends GameText {
  readonly position: string;
}

/** The words of a game. All expressions are sticky. */
export interface Words {
  /** Tried before everything else that is no bracket, tag or comment. */
  readonly result: RegExp;
  readonly move: RegExp;
  readonly glyph: RegExp;
  /** What may stand among moves and is passed over; tried last. */
  readonly other: RegExp;
  /** True if a line is a position, which needs no game about it. */
  isPosition(line: string): boolean;
}

/** No game is nearly as long. */
export const MOST_CHARS = 1 << 20;

const SPACE = /\s+/y;
/** "12.", "12...", "12. ..." and a number alone. */
const NUMBER = /\d+[ \t]*(?:\.(?:[ \t]*\.)*|…)|\d+(?=[\s(){};]|$)/y;
const OPEN = /\(/y;
const CLOSE = /\)/y;
/** Anything that is neither space nor of a meaning of its own. */
const WORD = /[^\s{}()[\];$!?]+/y;
const TAG_NAME =
  /\[\s{0,99}([A-Za-z0-9][A-Za-z0-9_+#=: -]{0,255}?)\s{0,99}(?=")|\[\s{0,99}([A-Za-z][A-Za-z0-9_+#=:-]{0,255})\s{1,99}/y;
/** Quotes may stand in the value: it ends at the first that a bracket follows. */
const QUOTED = /"((?:\\.|[^\\])*?)"\s*\]/y;
/** "[%clk 0:01:00]" outside braces. */
const BRACKETED = /\[[^[\]]{0,1000}\]/y;
/** The tags of a next game as seen from within a comment. */
const TAG_LINE = /^\s*\[\s*[A-Za-z][A-Za-z0-9_]*\s+".*"\s*\]\s*$/;
const EVENT_LINE = /^\s*\[\s*Event\s+"/i;

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** The games and positions of a text. */
export async function* gamesOf(
  lines: AsyncIterable<string> | Iterable<string>,
  words: Words,
): AsyncGenerator<GameText | PositionLine> {
  const splitter = new GameSplitter(words);
  let before: string | null = null;
  for await (const line of lines) {
    if (before !== null) splitter.take(before);
    yield* splitter.finished();
    before = line;
  }
  // Nothing follows the end of the last line.
  if (before !== null && before !== '') splitter.take(before);
  splitter.end();
  yield* splitter.finished();
}

class GameSplitter {
  private tokens: Token[] = [];
  private chars = 0;
  private line = 0;
  /** A comment that has not ended yet: where it began, and its lines. */
  private comment: { readonly line: number; readonly lines: string[]; next: number | null } | null = null;
  private done: (GameText | PositionLine)[] = [];

  /** True of a game whose first piece was given away because it is too long. */
  private isOverlong = false;

  /** What decides where the next game begins. */
  private names = new Set<string>();
  private hasMoves = false;
  private hasResult = false;
  private depth = 0;
  /** Moves outside variations. */
  private plies = 0;
  /** The number of tokens before the last empty line; null if no empty line has followed what is of a game. */
  private blank: number | null = null;
  /** The last token that is neither space nor comment. */
  private last: TokenKind | null = null;

  constructor(private readonly words: Words) {}

  /** Games that have ended since the last call. */
  *finished(): Generator<GameText | PositionLine> {
    const done = this.done;
    this.done = [];
    yield* done;
  }

  take(line: string): void {
    this.line++;
    this.chars += line.length + 1;
    if (this.comment === null) this.readLine(line);
    else this.readComment(line);
    if (this.chars > MOST_CHARS) this.giveAway();
  }

  end(): void {
    while (this.comment !== null) {
      if (this.comment.next !== null) this.recover();
      else this.closeComment(this.comment.lines, true);
    }
    this.finish(this.tokens.length);
  }

  /** Gives what was read of an overlong game away, so that no more of it is held; where the next game begins is found as in any game. */
  private giveAway(): void {
    if (this.comment !== null && this.comment.next !== null) {
      this.recover();
      return;
    }
    this.chars = 0;
    if (this.comment !== null && this.comment.lines.length > 1) {
      // The comment goes on in its last line; those before it are given away, too.
      const { line, lines } = this.comment;
      const last = lines.pop()!;
      this.tokens.push({ kind: 'comment', text: `${lines.join('\n')}\n`, line });
      this.comment = { line: this.line, lines: [last], next: null };
    }
    this.donePiece();
    this.tokens = [];
    if (this.blank !== null) this.blank = 0;
  }

  private donePiece(): void {
    const { tokens } = this;
    if (tokens.length === 0) return;
    const { line } = tokens.find(({ kind }) => kind !== 'space') ?? tokens[0];
    this.done.push({ tokens, line, piece: this.isOverlong ? 'other' : 'first' });
    this.isOverlong = true;
  }

  private readLine(text: string): void {
    if (/^\s*$/.test(text)) {
      if (this.last !== null) this.blank ??= this.tokens.length;
      this.push('space', `${text}\n`);
    } else if (/^[%#]/.test(text)) this.push('escape', `${text}\n`);
    else if (this.words.isPosition(text.trim())) this.readPosition(text.trim());
    else {
      this.readFrom(text, 0);
      if (this.comment === null) this.push('space', '\n');
    }
  }

  private readPosition(position: string): void {
    if (this.last !== null) this.finish(this.blank ?? this.tokens.length);
    const tokens = this.tokens;
    this.begin([]);
    this.done.push({ tokens, line: this.line, position });
  }

  /** Reads the rest of a line, up to its end or to a brace that the line does not close. */
  private readFrom(text: string, from: number): void {
    let at = from;
    /** False once no tag can end in this line any more: looking again at each bracket would take quadratic time. */
    let mayHaveTags = true;
    const first = text.search(/\S/);
    const take = (kind: TokenKind, length: number, more: Partial<Token> = {}) => {
      this.push(kind, text.slice(at, at + length), more);
      at += length;
    };
    while (at < text.length) {
      const letter = text[at];
      const space = matchAt(SPACE, text, at);
      if (space !== null) take('space', space[0].length);
      else if (letter === '{') {
        const end = text.indexOf('}', at);
        if (end < 0) {
          this.comment = { line: this.line, lines: [text.slice(at)], next: null };
          return;
        }
        take('comment', end + 1 - at);
      } else if (letter === ';') take('comment', text.length - at);
      else if (letter === '[') {
        const tag = mayHaveTags ? this.tagAt(text, at, at === first) : null;
        if (tag === 'unfinished') mayHaveTags = false;
        if (tag !== null && tag !== 'unfinished') {
          this.beforeTag(tag.name);
          take('tag', tag.length, { name: tag.name, value: tag.value });
        } else take('other', matchAt(BRACKETED, text, at)?.[0].length ?? 1);
      } else {
        const [kind, length] = this.wordAt(text, at);
        if (kind === 'number' || kind === 'move') this.beforeMove(kind, text.slice(at, at + length));
        take(kind, length);
      }
    }
  }

  /** The next piece of text that is neither space nor comment nor square bracket. */
  private wordAt(text: string, at: number): readonly [TokenKind, number] {
    const { result, move, glyph, other } = this.words;
    const kinds = [
      ['glyph', glyph],
      ['open', OPEN],
      ['close', CLOSE],
      ['result', result],
      ['move', move],
      ['number', NUMBER],
      ['other', other],
    ] as const;
    for (const [kind, expression] of kinds) {
      const found = matchAt(expression, text, at);
      if (found === null) continue;
      const isYear = kind === 'number' && !this.hasMoves && !/[.…]/.test(found[0]);
      return [isYear ? 'other' : kind, found[0].length];
    }
    const word = matchAt(WORD, text, at);
    if (word === null) return ['other', 1];
    // Words before the first move number are a heading, and behind the result a remark. Among moves they stand for one.
    return [this.hasMoves && !this.hasResult ? 'move' : 'other', word[0].length];
  }

  /** The tag that begins at a bracket; 'unfinished' if it looks like one but does not end in this line. */
  private tagAt(
    text: string,
    at: number,
    isFirst: boolean,
  ): { readonly name: string; readonly value: string; readonly length: number } | null | 'unfinished' {
    if (!isFirst && this.last !== 'result' && this.last !== 'tag') return null;
    const named = matchAt(TAG_NAME, text, at);
    if (named === null) return null;
    const { length } = named[0];
    const name = named[1] ?? named[2];
    const quoted = text[at + length] === '"' ? matchAt(QUOTED, text, at + length) : null;
    if (quoted !== null) {
      const value = quoted[1].replace(/\\(["\\])/g, '$1');
      return { name, value, length: length + quoted[0].length };
    }
    const value = isFirst ? unquoted(text.slice(at + length)) : null;
    return value === null ? 'unfinished' : { name, value, length: text.trimEnd().length - at };
  }

  private push(kind: TokenKind, text: string, more: Partial<Token> = {}): void {
    this.tokens.push({ kind, text, line: more.line ?? this.line, ...more });
    if (kind === 'open') this.depth++;
    else if (kind === 'close') this.depth = Math.max(0, this.depth - 1);
    else if (kind === 'tag') this.names.add(more.name!);
    else if (kind === 'result') this.hasResult ||= this.depth === 0;
    else if (kind === 'move' && this.depth === 0) this.plies++;
    if (kind === 'move' || kind === 'number' || kind === 'result') this.hasMoves = true;
    if (kind === 'space' || kind === 'comment' || kind === 'escape') return;
    this.last = kind;
    // Anything else that follows an empty line may be the heading of the next game.
    if (kind === 'tag' || kind === 'move' || kind === 'number' || kind === 'result') this.blank = null;
  }

  /** Ends the game before a tag, if that is the next game's: `Event` is the first tag of a game, so a second one is never of the same game. */
  private beforeTag(name: string): void {
    const isRepeated = this.names.has(name) && (this.blank !== null || name === 'Event');
    const isNext = this.hasMoves || isRepeated || (this.isOverlong && this.last !== 'tag');
    if (isNext) this.finish((this.hasResult ? this.blank : null) ?? this.tokens.length);
  }

  /** Ends the game before a number or a move, if that is the next game's. */
  private beforeMove(kind: 'number' | 'move', text: string): void {
    const isAfterBlank = this.blank !== null && this.hasMoves;
    if (!this.hasResult && !isAfterBlank) return;
    const isFirst = kind === 'number' && Number.parseInt(text, 10) === 1;
    const isReply = kind === 'number' && /\.\s*\.|…/.test(text);
    const isNext = this.hasResult
      ? isAfterBlank || isFirst || (kind === 'move' && this.last === 'result')
      : isFirst && this.last !== 'open' && !(isReply && this.plies === 1);
    if (isNext) this.finish(this.blank ?? this.tokens.length);
  }

  /** Ends the game that the first tokens are, and begins another with the others. */
  private finish(count: number): void {
    const others = this.tokens.slice(count);
    const tokens = this.tokens.slice(0, count);
    if (this.isOverlong) {
      this.tokens = tokens;
      this.donePiece();
      this.begin(others);
      return;
    }
    const first = tokens.find(({ kind }) => kind !== 'space' && kind !== 'escape');
    const isGame = tokens.some(({ kind, text }) => kind !== 'space' && kind !== 'escape' && text[0] !== ';');
    if (isGame) this.done.push({ tokens, line: first!.line });
    this.begin(isGame ? others : this.tokens);
  }

  private begin(tokens: Token[]): void {
    this.tokens = tokens;
    this.isOverlong = false;
    this.chars = tokens.reduce((sum, { text }) => sum + text.length, 0);
    this.names = new Set();
    [this.hasMoves, this.hasResult] = [false, false];
    [this.depth, this.plies] = [0, 0];
    [this.blank, this.last] = [null, null];
  }

  private readComment(line: string): void {
    const comment = this.comment!;
    const end = line.indexOf('}');
    const nested = line.indexOf('{');
    const opensAgain = nested >= 0 && (end < 0 || nested < end);
    if (opensAgain && comment.next !== null) {
      comment.lines.push(line);
      this.recover();
      return;
    }
    if (end >= 0) {
      this.closeComment([...comment.lines, line.slice(0, end + 1)], false);
      this.readFrom(line, end + 1);
      if (this.comment === null) this.push('space', '\n');
      return;
    }
    const isAfterBlank = /^\s*$/.test(comment.lines.at(-1)!);
    const isTag = isAfterBlank ? TAG_LINE.test(line) : EVENT_LINE.test(line);
    if (isTag) comment.next ??= comment.lines.length;
    comment.lines.push(line);
  }

  /** Ends a comment that is never closed before the tags of the next game, and reads these and what follows again. */
  private recover(): void {
    const { lines, line, next } = this.comment!;
    const again = lines.slice(next!);
    this.closeComment(lines.slice(0, next!), true);
    this.push('space', '\n');
    this.line = line + next! - 1;
    for (const each of again) {
      this.line++;
      this.chars += each.length + 1;
      if (this.comment === null) this.readLine(each);
      else this.readComment(each);
    }
  }

  private closeComment(lines: readonly string[], isOpen: boolean): void {
    const { line } = this.comment!;
    this.comment = null;
    this.push('comment', lines.join('\n'), { line, isOpen });
  }
}

/** A tag's value whose quotes or whose bracket are missing, as the rest of its line; null if it is something else. */
function unquoted(rest: string): string | null {
  const value = rest.trimEnd().replace(/\]$/, '').replace(/^"|"$/g, '').trim();
  return /["[\]]/.test(value) ? null : value;
}
