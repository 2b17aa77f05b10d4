/** CITATION.cff: what reference managers read of it, beside package.json. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

test('the citation names this version, licence and package', () => {
  const citation = parse(readFileSync('CITATION.cff', 'utf8'));
  const { name, version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(citation).toMatchObject({ 'cff-version': '1.2.0', type: 'software', title: name, version, license });
  // What the format requires.
  expect(citation.message).toMatch(/cite/);
  for (const { title, type, authors } of [citation, ...citation.references]) {
    expect(title).toMatch(/./);
    expect(type).toMatch(/./);
    expect(authors.length).toBeGreaterThan(0);
  }
});
