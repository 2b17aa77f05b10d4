/**
 * `npm run golden` writes digests.json from the built program: after an intended change of tables, with a line in the changelog that says
 * what changed. `npm run golden -- --size short` writes what the short tests need, and keeps the rest; `-- --files` writes the digests of
 * written files alone, and `-- --only WORDS` those of solves whose arguments contain the words. Solving in different ways must give the
 * same table; where it does not, nothing is written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Golden, publicationOf, publicationsWithin, solvesWithin, tablesOf } from './digests.js';
import type { Size } from './solves.js';

const FILE = new URL('digests.json', import.meta.url);

const options = {
  size: { type: 'string', default: 'all' },
  files: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
} as const;
const { size, files: filesAlone, only } = parseArgs({ options }).values;
const most = size as Size;
const isWhole = most === 'all' && only === '';
const isWanted = (args: readonly string[]) => args.join(' ').includes(only);
const known = readGolden();
const tables: Record<string, Golden['tables'][string]> = isWhole && !filesAlone ? {} : { ...known.tables };
const files: Record<string, string> = isWhole ? {} : { ...known.files };
const made = new Map<string, string>();

for (const solve of filesAlone ? [] : solvesWithin(most).filter(({ args }) => isWanted(args))) {
  for (const way of solve.ways ?? [[]]) {
    const started = performance.now();
    const found = await tablesOf(solve, way);
    for (const [name, table] of Object.entries(found)) {
      const text = JSON.stringify(table);
      const other = made.get(name);
      if (other !== undefined && other !== text)
        throw new Error(
          `${name} is ${other} in one way, and ${text} in another: ${[...solve.args, ...way].join(' ')}`,
        );
      made.set(name, text);
      tables[name] = table;
    }
    report([...solve.args, ...way], started, Object.keys(found).length);
  }
}
for (const publication of publicationsWithin(most).filter(({ solve }) => isWanted(solve))) {
  const started = performance.now();
  const { files: found } = await publicationOf(publication);
  Object.assign(files, found);
  report(['publications of', ...publication.solve], started, Object.keys(found).length);
}
writeFileSync(FILE, textOf({ tables, files }));

function readGolden(): Golden {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Golden;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { tables: {}, files: {} };
  }
}

/** A line for each entry, in order, so that a change shows as the lines that changed. */
function textOf(golden: Golden): string {
  const section = (entries: Readonly<Record<string, unknown>>) =>
    Object.keys(entries)
      .sort()
      .map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(entries[name]).replaceAll(',', ', ')}`)
      .join(',\n');
  return `{\n  "tables": {\n${section(golden.tables)}\n  },\n  "files": {\n${section(golden.files)}\n  }\n}\n`;
}

function report(words: readonly string[], started: number, count: number): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${seconds} s  ${count} ${words.join(' ')}\n`);
}
