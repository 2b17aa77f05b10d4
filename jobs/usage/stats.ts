/** The options of `mergemate stats`. */
import type { Command } from 'commander';
import { withMetric, withPieces, withStore } from './options.js';

export function addStats(program: Command): void {
  withPieces(withMetric(withStore(program.command('stats <game> [ending]'))))
    .summary('count wins, draws and losses by ply')
    .description(
      'Counts the positions of a solved ending: wins, draws, losses, positions without moves, wins by plies, longest wins.\n' +
        'Under dtz, wins that the 50-move rule makes draws are counted apart, as cursed wins and blessed losses.\n' +
        'Colours are those of the name: in chess White has its first group, and KNKR is KRKN with the colours exchanged.\n' +
        '"placements" count boards, "orbits" count them up to the symmetries of the board.\n' +
        'With --pieces, one row for each ending and for each with its sides exchanged: what becomes of the boards in which\n' +
        'the side to move is the one that begins the game (of KQK and KKQ: White).',
    )
    .action(async (gameName, name, flags) =>
      (await import('../commands/stats.js')).runStats(gameName, name, flags),
    );
}
