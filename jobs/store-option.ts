/** Options of every command that has to do with a store: of no game, so that nothing of games is loaded. */
import type { Command } from 'commander';

export interface CommonOptions {
  readonly store: string;
  readonly json?: boolean;
}

export const DEFAULT_STORE = './tables';

export function withStore(command: Command): Command {
  return command
    .option(
      '--store <uri>',
      'where the tables are: a folder, file:path, file:///path or s3://bucket/prefix',
      DEFAULT_STORE,
    )
    .option('--json', 'print JSON');
}
