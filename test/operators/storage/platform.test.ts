/** Files as Windows treats them, by the double of test/support/other-systems.cjs, and the rules for names. */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isUnusable } from '../../../operators/storage/platform.js';
import { testFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

const DOUBLE = resolve('test/support/other-systems.cjs');

/** Runs TypeScript on the double; what it prints. */
function onDouble(program: string): string {
  // What translates TypeScript runs on the real system, in a thread of its own.
  const double = `(await import('node:module')).createRequire('/')(${JSON.stringify(DOUBLE)});\n`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', double + program];
  return execFileSync(process.execPath, args, { encoding: 'utf8' });
}

const STORE = JSON.stringify(resolve('operators/storage/local.ts'));
const PAGES = JSON.stringify(resolve('operators/storage/local-page-folder.ts'));

test('a store publishes, replaces, reads and deletes objects where nothing that is open can be changed', () => {
  const folder = testFolder();
  const printed = onDouble(`
    const { localStore } = await import(${STORE});
    const [one, other] = [0, 1].map(() => localStore(${JSON.stringify(folder)}, { durable: true }));
    async function put(store, name, text) {
      const sink = await store.create(name);
      await sink.write([Buffer.from(text)]);
      await sink.close();
    }
    async function read(store, name) {
      const into = new Uint8Array(await store.size(name));
      await store.read(name, 0, into);
      return Buffer.from(into).toString();
    }
    const said = [];
    await put(one, 'a/b', 'first');
    said.push(await read(one, 'a/b'), await read(other, 'a/b'));
    // Two readers, one of which is not told of the change.
    await put(one, 'a/b', 'second');
    said.push(await read(one, 'a/b'), await read(other, 'a/b'));
    said.push(await one.putIfAbsent('a/b', Buffer.from('x')), await one.putIfAbsent('c', Buffer.from('x')));
    const given = await one.create('d');
    await given.write([Buffer.from('x')]);
    await given.abort();
    await read(other, 'c');
    await one.delete('c');
    said.push(await one.list(''), await one.unfinished(''));
    const swap = one.swap('swap');
    swap.write(0, Buffer.from('swapped'));
    const into = new Uint8Array(7);
    swap.read(0, into);
    swap.remove();
    said.push(Buffer.from(into).toString(), await one.list(''));
    for (const name of ['a:b', 'nul', 'x.'])
      said.push(await one.size(name).then(() => 'taken', (error) => error.message.replace(/^.*: /, '')));
    console.log(JSON.stringify(said));
  `);
  const refused = 'no file can be called so on this operating system';
  expect(JSON.parse(printed)).toEqual([
    ...['first', 'first', 'second', 'second', false, true],
    ...[['a/b'], [], 'swapped', ['a/b']],
    ...[refused, refused, refused],
  ]);
});

test.skipIf(!LONG)(
  `a file that somebody has open for a moment is replaced when it is closed, and one that stays open is named${ifShort}`,
  () => {
    const folder = testFolder();
    const printed = onDouble(`
    import { closeSync, openSync, writeFileSync } from 'node:fs';
    const { localStore } = await import(${STORE});
    const path = ${JSON.stringify(join(folder, 'x'))};
    writeFileSync(path, 'old');
    const store = localStore(${JSON.stringify(folder)}, { durable: true });
    async function put() {
      const sink = await store.create('x');
      await sink.write([Buffer.from('new')]);
      await sink.close();
    }
    const descriptor = openSync(path, 'r');
    setTimeout(() => closeSync(descriptor), 100);
    await put();
    openSync(path, 'r');
    await put().catch((error) => console.log(error.message));
    console.log(JSON.stringify(await store.unfinished('')));
  `);
    const [error, left] = printed.trim().split('\n');
    expect(error).toMatch(/^file:.*\/x: .*\(close: E(?:BUSY|PERM|ACCES)\)$/);
    expect(left).toBe('[]');
  },
);

test('a folder of pages is made, replaced and removed', () => {
  const folder = testFolder();
  const printed = onDouble(`
    const { localPageFolder } = await import(${PAGES});
    const pages = localPageFolder(${JSON.stringify(join(folder, 'pages'))}, { direct: false });
    pages.replace('head', Buffer.from('1'));
    pages.replace('head', Buffer.from('2'));
    console.log(Buffer.from(pages.get('head')).toString(), pages.list().join());
    pages.remove();
  `);
  expect(printed).toBe('2 head\n');
});

test.each([
  ['chess/dtm/KPKPep.55/table.json', false],
  ['town/runs/20261129T060000000Z-1a2b3c4d/progress.json', false],
  ['a/b:c', true],
  ['con', true],
  ['COM1.json', true],
  ['console', false],
  ['a. /b', true],
])('%s: cannot be a file of Windows: %s', (name, unusable) => {
  expect(isUnusable(name, true)).toBe(unusable);
  expect(isUnusable(name, false)).toBe(false);
});
