#!/usr/bin/env node
/** The command line: `mergemate COMMAND …`. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { UserError } from '../operators/core/errors.js';
import { addExport } from './commands/export.js';
import { addLine } from './commands/line.js';
import { addProbe } from './commands/probe.js';
import { addSolve } from './commands/solve.js';
import { addStats } from './commands/stats.js';
import { addVerify } from './commands/verify.js';
import { ExitCode, fail, watchProcess } from './exit.js';

function version(): string {
  for (const up of ['../', '../../']) {
    try {
      return JSON.parse(readFileSync(new URL(`${up}package.json`, import.meta.url), 'utf8')).version;
    } catch {
      // Compiled, this file lies one folder deeper.
    }
  }
  return 'unknown';
}

function program(): Command {
  const root = new Command('mergemate')
    .description(
      'Perfect-play endgame databases larger than memory, built by external sorting and merge joins',
    )
    .version(version());
  for (const add of [addSolve, addStats, addProbe, addLine, addVerify, addExport]) add(root);
  for (const command of [root, ...root.commands]) {
    // Usage errors go the way of all others: one line, exit code 2.
    command
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .showSuggestionAfterError(true);
  }
  return root;
}

async function main(): Promise<void> {
  watchProcess();
  try {
    if (process.argv.length <= 2)
      throw new UserError('no command given; "mergemate --help" lists the commands');
    await program().parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) fail(error);
    if (error.exitCode === 0) process.exit(ExitCode.ok);
    fail(new UserError(error.message.replace(/^error: /, '')));
  }
}

await main();
