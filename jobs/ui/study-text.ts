/** Findings in studies, in words. */
import type { Game } from '../../pipeline/contract/game.js';
import type { Metric } from '../../pipeline/formats/value.js';
import type { Alternative, CheckedMove, CheckedStudy } from '../study/check-study.js';
import { verdict } from './verdict.js';

/** Moves that are named; of more there is a number. */
const NAMED = 4;

function named(sans: readonly string[]): string {
  const more = sans.length - NAMED;
  return `${sans.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const names = (moves: readonly Alternative[]): string => named(moves.map(({ san }) => san));

/** Finding for a move: "only move", "gives the win away (draw): Kb3 wins; refuted by Kd5". */
export function findingOf({ verdict, wdl, after, plies, others, refutations }: CheckedMove): string {
  switch (verdict) {
    case 'forced':
      return 'the only legal move';
    case 'lost':
      return 'lost anyway';
    case 'only':
      return `only move (${wdl})`;
    case 'keeps': {
      const asFast = others.filter((other) => plies !== null && other.plies !== null && other.plies <= plies);
      const fast = wdl === 'win' && asFast.length > 0 ? `, as fast: ${names(asFast)}` : '';
      return `${wdl} also by ${names(others)}${fast}`;
    }
    case 'mistake': {
      const replies = refutations.length === 0 ? '' : `, for ${named(refutations)}`;
      return `gives the ${wdl} away (${after}${replies}); ${wdl} by ${names(others)}`;
    }
  }
}

/** A study, a line a move. */
export function studyText(checked: CheckedStudy, metric: Metric, game: Game): string {
  const { title, fen, start, moves } = checked;
  const names = moves.map(({ depth, number, san }) => `${'  '.repeat(depth + 1)}${number} ${san}`);
  const width = Math.max(0, ...names.map((name) => name.length));
  const lines = moves.map((move, i) => `${names[i].padEnd(width)}  ${findingOf(move)}`);
  return `${[title, startText(fen, start, metric, game), ...lines].join('\n')}\n${countsText(checked)}`;
}

function startText(fen: string, start: CheckedStudy['start'], metric: Metric, game: Game): string {
  if (start === null) return `${fen}: in no table`;
  const { keeping, wdl } = start;
  const mover = game.mover(game.parse(fen));
  const how = keeping.length === 0 || wdl === 'loss' ? '' : `, by ${names(keeping)}`;
  return `${fen}\n${verdict(start, metric, mover, game)}${how}`;
}

function countsText({ moves, unknown }: CheckedStudy): string {
  if (moves.length + unknown === 0) return '';
  const count = (verdict: CheckedMove['verdict']) => moves.filter((move) => move.verdict === verdict).length;
  const parts = [
    `${moves.length} ${moves.length === 1 ? 'move' : 'moves'} looked up`,
    `${count('only')} only`,
    `${count('keeps')} with others as good`,
    `${count('mistake')} ${count('mistake') === 1 ? 'mistake' : 'mistakes'}`,
    ...(unknown > 0 ? [`${unknown} in no table`] : []),
  ];
  return `${parts.join(', ')}\n`;
}
