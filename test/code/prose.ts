/** Sentences of documents and of comments. */
import type { SourceFile } from './sources.js';

export const MOST_WORDS = 25;
export const HIDING = /\b(for who|of which|what is besides|nobody's|anew)\b/;
const LIST_ITEM = /^([-*]|\d+\.)\s+/;
/** A tag of JSDoc, with the name of what it describes. */
const TAG = /^@(param \S+|\w+)( |$)/;

/** The paragraphs and list items of a page, without code, tables, headings and images. */
function paragraphsOf(page: string): string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  let isCode = false;
  function end(): void {
    if (lines.length > 0) paragraphs.push(lines.join(' '));
    lines = [];
  }
  for (const line of page.split('\n').map((each) => each.trim())) {
    const isFence = line.startsWith('```');
    if (isFence) isCode = !isCode;
    if (isFence || isCode || /^($|\||#|!\[|<!--)|\S {2,}\S/.test(line)) {
      end();
      continue;
    }
    if (LIST_ITEM.test(line) || TAG.test(line)) end();
    lines.push(line.replace(LIST_ITEM, '').replace(TAG, ''));
  }
  end();
  return paragraphs;
}

/** Code within a sentence counts as one word, and a link as its text. */
function sentencesOf(paragraph: string): string[] {
  return paragraph
    .replace(/`[^`]*`|\{@link [^}]*\}/g, 'X')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\bal\. /g, 'al ')
    .split(/(?<=[.!?]["”)*_]*)\s+(?=["“(*[A-Z0-9`_@]|mergemate)/);
}

const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

export const longSentences = (page: string) =>
  paragraphsOf(page)
    .flatMap(sentencesOf)
    .filter((sentence) => wordsOf(sentence) > MOST_WORDS);

/** Comments for tools are no sentences. */
const FOR_TOOLS = /^\s*(biome-ignore|@(ts-|unroll|copies|vitest))/;

/** The comments of a file without the marks of comments. Line comments that follow each other are one. */
export function commentsOf({ text, comments }: SourceFile): string[] {
  const found: string[] = [];
  let lineEnd: number | undefined;
  for (const { start, end, value } of comments) {
    const isLine = text.startsWith('//', start);
    const goesOn = isLine && /^\n[ \t]*$/.test(text.slice(lineEnd ?? start, start));
    lineEnd = isLine ? end : undefined;
    if (FOR_TOOLS.test(value)) continue;
    const words = withoutFigures(value.replace(/^\*/, '').replace(/\n[ \t]*\*/g, '\n'));
    found.push(goesOn ? `${found.pop() ?? ''}\n${words}` : words);
  }
  return found;
}

/** Leaves indented lines out, unless they go on with a list item or a tag: formulas and diagrams. */
function withoutFigures(words: string): string {
  let isItem = false;
  const lines = words.split('\n').map((line) => {
    const isIndented = line.startsWith('   ');
    if (!isIndented) isItem = LIST_ITEM.test(line.trim()) || TAG.test(line.trim());
    return isIndented && !isItem ? '' : line;
  });
  return lines.join('\n');
}
