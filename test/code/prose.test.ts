/** The documents are in plain sentences: at most 25 words, and none of the phrases that hide who does what. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const MOST_WORDS = 25;
const HIDING = /\b(for who|of which|what is besides|nobody's|anew)\b/;
const LIST_ITEM = /^([-*]|\d+\.)\s+/;

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
    if (isFence || isCode || /^($|\||#|!\[|<!--)/.test(line)) {
      end();
      continue;
    }
    if (LIST_ITEM.test(line)) end();
    lines.push(line.replace(LIST_ITEM, ''));
  }
  end();
  return paragraphs;
}

/** Code within a sentence counts as one word, and a link as its text. */
function sentencesOf(paragraph: string): string[] {
  return paragraph
    .replace(/`[^`]*`/g, 'X')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\bal\. /g, 'al ')
    .split(/(?<=[.!?]["”)*_]*)\s+(?=["“(*[A-Z0-9`_]|mergemate)/);
}

const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

const longSentences = (page: string) =>
  paragraphsOf(page)
    .flatMap(sentencesOf)
    .filter((sentence) => wordsOf(sentence) > MOST_WORDS);

describe('pages', () => {
  const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');

  test('are found', () => expect(pages.length).toBeGreaterThan(30));

  test.each(pages)('%s has no sentence of more than 25 words', (page) => {
    expect(longSentences(readFileSync(page, 'utf8'))).toEqual([]);
  });

  test.each(pages)('%s says who does what', (page) => {
    const lines = readFileSync(page, 'utf8').split('\n');
    expect(lines.filter((line) => HIDING.test(line))).toEqual([]);
  });
});

describe('a long sentence', () => {
  const long = `${'word '.repeat(MOST_WORDS)}word.`;

  test.each([
    ['alone', long],
    ['behind a short one', `Short. ${long.replace('w', 'W')}`],
    ['in a list', `- short\n- ${long}`],
    ['over several lines', long.replaceAll('word word word', 'word\nword word')],
  ])('%s is found', (_, page) => expect(longSentences(page)).toHaveLength(1));

  test.each([
    ['in code', `\`\`\`\n${long}\n\`\`\``],
    ['in a table', `| ${long} |`],
    ['cut in two', `${'word '.repeat(MOST_WORDS - 1)}word. Word.`],
  ])('%s is not counted', (_, page) => expect(longSentences(page)).toEqual([]));
});
