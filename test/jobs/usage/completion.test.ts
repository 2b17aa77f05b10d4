/** The Tab key in a shell completes commands, options and their values. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';

const { succeed, run } = program('tables');

/** What bash offers for the last word. */
function offered(script: string, ...words: string[]): string[] {
  const path = join(testFolder(), 'completion');
  writeFileSync(path, script);
  const line = `source ${path}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mergemate; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const bash = spawnSync('bash', ['-c', line, 'bash', 'mergemate', ...words], { encoding: 'utf8' });
  expect(bash.stderr).toBe('');
  return bash.stdout.split('\n').filter((each) => each !== '');
}

test('bash completes commands, options and their values', async () => {
  const script = await succeed(['help', 'completion', 'bash']);
  expect(offered(script, 'so')).toEqual(['solve']);
  expect(offered(script, 'help', 'comp')).toEqual(['compare', 'completion']);
  expect(offered(script, 'solve', 'chess', '--mem')).toEqual(['--memory']);
  expect(offered(script, 'solve', 'chess', '--metric', 'dtm')).toEqual(['dtm', 'dtm50']);
  expect(offered(script, 'publish', 'chess', '--as', '')).toEqual(['compact', 'syzygy', 'site']);
  // Bash completes the name of a file where nothing is offered.
  expect(offered(script, 'solve', 'chess', '--store', '')).toEqual([]);
});

const fish = spawnSync('fish', ['--version']).status === 0;
test.skipIf(!fish)(`fish reads its script${fish ? '' : ' (skipped: there is no fish here)'}`, async () => {
  const script = await succeed(['help', 'completion', 'fish']);
  const found = spawnSync('fish', ['-c', `${script}\ncomplete -C 'mergemate solve --metr'`], {
    encoding: 'utf8',
  });
  expect(found.stderr).toBe('');
  expect(found.stdout).toContain('--metric');
});

test('without a shell it says how to install it, and another shell is refused', async () => {
  expect(await succeed(['help', 'completion'])).toContain('mergemate help completion bash >');
  const { code, stderr } = await run(['help', 'completion', 'powershell']);
  expect([code, stderr]).toEqual([
    2,
    'mergemate: help completion powershell: scripts are made for bash, zsh, fish\n',
  ]);
});
