import type { Command } from 'commander';
import { withMetric, withPieces, withStore } from './options.js';

export function addReport(program: Command): void {
  withPieces(withMetric(withStore(program.command('report <game> [endings...]'))))
    .summary('write a page and CSV files about endings')
    .description(
      'Writes what becomes of the positions of solved endings, by side to move: shares of wins, draws and losses, longest wins\n' +
        'with boards and best play, wins by plies, and in chess mutual zugzwangs. index.html needs nothing else; endings.csv,\n' +
        'plies.csv (not for wdl) and zugzwangs.csv (chess) hold the figures. Of a keyed game or a graph: who wins from the roots, by player\n' +
        'to move and by plies, longest wins, and the figures in results.csv and plies.csv.',
    )
    .requiredOption('--out <folder>', 'the folder to write to; made if it is not there')
    .option('--force', 'overwrite the files if they are there')
    .action(async (gameName, names, flags) =>
      (await import('../commands/report.js')).runReport(gameName, names, flags),
    );
}
