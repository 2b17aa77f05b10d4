/**
 * Documents and comments are in plain sentences: at most 25 words, and none of the phrases that hide who does what.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commentsOf, HIDING, longSentences, MOST_WORDS } from './prose.js';
import { parse } from './sources.js';

const filesBy = (pattern: string): string[] =>
  execFileSync('git', ['ls-files', pattern], { encoding: 'utf8' }).trim().split('\n');

describe('pages', () => {
  const pages = filesBy('*.md');

  test('are found', () => expect(pages.length).toBeGreaterThan(30));

  test.each(pages)('%s has no sentence of more than 25 words', (page) => {
    expect(longSentences(readFileSync(page, 'utf8'))).toEqual([]);
  });

  test.each(pages)('%s says who does what', (page) => {
    const lines = readFileSync(page, 'utf8').split('\n');
    expect(lines.filter((line) => HIDING.test(line))).toEqual([]);
  });
});

describe('comments', () => {
  const comments = filesBy('*.ts').flatMap((file) =>
    commentsOf(parse(file, readFileSync(file, 'utf8'))).map((text) => ({ file, text })),
  );

  test('are found', () => expect(comments.length).toBeGreaterThan(5000));

  test('have no sentence of more than 25 words', () => {
    expect(comments.flatMap(({ file, text }) => longSentences(text).map((each) => [file, each]))).toEqual([]);
  });

  test('say who does what', () => {
    expect(comments.filter(({ text }) => HIDING.test(text))).toEqual([]);
  });

  test('name their subject first', () => {
    expect(comments.filter(({ text }) => /^\s*(Of|What)\b/.test(text))).toEqual([]);
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

describe('a long sentence in a comment', () => {
  const long = `${'word '.repeat(MOST_WORDS)}word.`;
  const found = (code: string) => commentsOf(parse('a.ts', code)).flatMap(longSentences);

  test.each([
    ['on one line', `/** ${long} */`],
    ['over several lines', `/**\n * ${long.replaceAll('word word word', 'word\n * word word')}\n */`],
    ['in line comments', `// ${long.replaceAll('word word word', 'word\n// word word')}`],
    ['in a list', `/**\n * - short\n * - ${long.replaceAll('word word word', 'word\n *   word word')}\n */`],
    ['of a parameter', `/**\n * Short.\n * @param name ${long}\n */`],
  ])('%s is found', (_, code) => expect(found(code)).toHaveLength(1));

  test.each([
    ['in a figure', `/**\n * Short:\n *\n *   ${long}\n */`],
    ['in a table', `/**\n * one   ${long}\n */`],
    ['in code', `/** \`${long}\` */`],
    ['in a link', `/** {@link ${long}} */`],
    ['in a string', `const text = '/** ${long} */';`],
    ['of two comments', `// ${'word '.repeat(MOST_WORDS)}\nlet a;\n// word`],
    ['of a parameter and what is thrown', `/** @param a ${'word '.repeat(MOST_WORDS)}\n * @throws word */`],
  ])('%s is not counted', (_, code) => expect(found(code)).toEqual([]));
});
