/**
 * Every command of the README and of the tours in docs, as printed, in the order printed, in an empty folder. A command that
 * cannot run here is listed with the reason, so that no new command is left out unseen.
 */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLIENTS, connectDuckDb } from '../support/data-clients.js';
import { ifShort, LONG, LONGEST } from '../support/long.js';
import { commandsOf, folderWithPackage, outputOf } from '../support/printed-commands.js';

/** Parts of commands that are not run here, and why. */
const ELSEWHERE: readonly (readonly [part: string, why: string])[] = [
  ['npm cit', 'runs these tests'],
  ['sbatch ', 'needs Slurm: test/jobs/engines/batch-templates.test.ts'],
  ['mpirun ', 'needs Open MPI: test/jobs/engines/batch-templates.test.ts'],
];

/**
 * Commands that take long: all endings of three or four men, all of checkers of three, five men, the clock, comparisons, and lookups there;
 * and an export that another page has under another name.
 */
const long = (command: string) =>
  /dtm50|KBNKN|KRBKNN|--men 4|--pieces [34]|KPK|KRKN|--as site|verify syzygy|kqkr-rows|check samples.nim|three/.test(
    command,
  );

/** In this order: later pages ask about endings that earlier pages solved. */
const PAGES = ['README.md', 'docs/commands.md', 'docs/data.md'];
const [ofReadme, ...ofOthers] = PAGES.map((page) => commandsOf(readFileSync(page, 'utf8')));

const commands = [...new Set([...ofReadme, ...ofOthers.flat()])];
/** Later pages ask about the ending of the first one. The others of the README run where what they print is compared. */
const notCompared = commands.filter((command, i) => i === 0 || !ofReadme.includes(command));

test('the pages have commands, and those listed as run elsewhere are among them', () => {
  expect(commands.length).toBeGreaterThan(25);
  for (const [part] of ELSEWHERE) {
    expect(
      commands.filter((command) => command.includes(part)),
      part,
    ).not.toEqual([]);
  }
});

const which = LONGEST ? 'every command runs' : 'all but the long commands run';
test.skipIf(!LONG)(
  `the commands of ${which} run as printed in an empty folder${ifShort}`,
  {
    timeout: 3_600_000,
  },
  async () => {
    const folder = folderWithPackage();
    // The commands name samples.
    cpSync('samples', join(folder, 'samples'), { recursive: true });
    for (const printed of notCompared) {
      // The package is installed in this folder already.
      const command = printed.replace(/^npm ci && /, '');
      if (ELSEWHERE.some(([part]) => command.includes(part))) continue;
      if (!LONGEST && long(command)) continue;
      await outputOf(folder, command);
    }
  },
);

/** Measurements differ from run to run, and the width of their columns with them. */
const withoutMeasurements = (text: string) =>
  text
    .replaceAll(/\b\d[\d,.]* (?:ms|s|[KMG]iB)\b/g, '#')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/-{2,}/g, '--');

/** The blocks of a page: language and text. */
const blocksOf = (page: string) =>
  [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({ language, text }));

test(`the examples of the README print what it shows${LONG ? '' : ' (without the export: MERGEMATE_TEST_LONG is not 1)'}`, {
  timeout: 600_000,
}, async () => {
  const page = readFileSync('README.md', 'utf8');
  const folder = folderWithPackage();
  cpSync('samples', join(folder, 'samples'), { recursive: true });
  let printed = '';
  let compared = 0;
  for (const { language, text } of blocksOf(page)) {
    if (language === 'ts') expect(readFileSync('samples/wythoff.ts', 'utf8')).toBe(text);
    if (language === 'sh') {
      printed = '';
      for (const each of commandsOf(`\`\`\`sh\n${text}\`\`\``)) {
        const command = each.replace(/^npm ci && /, '');
        if (ELSEWHERE.some(([part]) => command.includes(part))) continue;
        if (!LONG && command.includes('export KQKR')) continue;
        printed += await outputOf(folder, command);
      }
    }
    if (language !== '') continue;
    // Lines that the page leaves out are shown as one with an ellipsis.
    let rest = withoutMeasurements(printed);
    for (const shown of withoutMeasurements(text).split(/^…\n/m)) {
      const at = rest.indexOf(shown);
      expect(at, `${shown}\nis not printed:\n${rest}`).toBeGreaterThanOrEqual(0);
      rest = rest.slice(at + shown.length);
    }
    compared++;
  }
  expect(compared).toBe(5);

  if (!LONG || CLIENTS === undefined) return;
  const [, query, table] = /^```sql\n([\s\S]*?)^```\n\n((?:\|.*\n)+)/m.exec(page)!;
  const sql = query.replace("'kqkr.parquet'", `'${join(folder, 'kqkr.parquet')}'`);
  const rows = (await (await connectDuckDb()).runAndReadAll(sql)).getRowsJson();
  const shown = rows.map((row) => `| ${row.map((value) => value ?? 'NULL').join(' | ')} |`);
  expect(table.trim().split('\n').slice(2)).toEqual(shown);
});

test.skipIf(!LONG)(
  `Othello: the commands do what the page prints, and its code is that of the sample${ifShort}`,
  {
    timeout: 600_000,
  },
  async () => {
    const page = readFileSync('docs/othello.md', 'utf8');
    const folder = folderWithPackage();
    let said = '';
    for (const command of commandsOf(page)) said += await outputOf(folder, command);
    const code = ['game', 'drawing']
      .map((name) => readFileSync(`samples/othello/${name}.ts`, 'utf8'))
      .join('');
    const blocks = blocksOf(page);
    for (const { language, text } of blocks) {
      if (language === 'ts') expect(code.replaceAll('export interface', 'interface')).toContain(text);
      // Lines of several commands may be printed together.
      if (language === '') for (const line of text.split('\n')) expect(said).toContain(`${line}\n`);
    }
    expect(blocks.filter(({ language }) => language === '').length).toBeGreaterThan(3);
    expect(readFileSync(join(folder, 'othello.parquet')).subarray(0, 4).toString()).toBe('PAR1');
    expect(readFileSync(join(folder, 'site/index.html'), 'utf8')).toContain('page.js');
  },
);

test.skipIf(!LONG)(
  `the first hour: at most ten commands do what the page prints${LONGEST ? '' : ', with the part of the ending that its study is in'}${ifShort}`,
  { timeout: 1_800_000 },
  async () => {
    const page = readFileSync('docs/first-hour.md', 'utf8');
    const [install, ...rest] = commandsOf(page);
    expect(install).toBe('npm ci');
    // With that which clones.
    expect(rest.length + 2).toBeLessThanOrEqual(10);
    const folder = folderWithPackage();
    let said = '';
    // The whole ending takes half a minute of a processor.
    const asked = (command: string) =>
      LONGEST ? command : command.replace('KPKP', 'KPKP.65').replace(/(?<= solve .*)$/, ' --no-verify');
    for (const command of rest) said += await outputOf(folder, asked(command));
    const printed = blocksOf(page).flatMap(({ language, text }) => (language === '' ? [text] : []));
    expect(printed.length).toBeGreaterThan(1);
    for (const text of printed) expect(said).toContain(text);
    expect(readFileSync(join(folder, 'checked.pgn'), 'utf8')).toContain(
      '1. Kg7 $7 {only move (draw)} (1. Kh7',
    );
  },
);
