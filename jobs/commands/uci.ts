/**
 * `mergemate uci`: a UCI engine that plays perfectly from tables or Syzygy files. It looks the moves of a position up and never searches,
 * so it knows its move at once, whatever the clock shows. Under `go infinite` and `go ponder` it keeps the move until it may say it.
 */
import type { Game } from '../../pipeline/game/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { linesOf, textOf } from '../cli/text-lines.js';
import type { LookupFlags } from '../solved/open-prober.js';
import { Engine } from '../uci/engine.js';

const LONGEST_LINE = 1 << 20;

export async function runUci(flags: LookupFlags): Promise<void> {
  const engine = new Engine(chess as Game, flags);
  for await (const line of linesOf(textOf('-'), 'standard input', LONGEST_LINE))
    if (!(await engine.obey(line))) return;
  await engine.idle();
}
