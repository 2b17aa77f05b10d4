/** Selected positions as lines of JSON, and of EPD (Edwards 1995, "Extended Position Description Specification"). */
import type { Selected } from '../../pipeline/analysis/selection.js';
import type { Metric, Value } from '../../pipeline/value.js';

export interface Shown extends Selected {
  readonly ending: string;
  /** Among the selected positions of the ending, from 1. */
  readonly number: number;
  readonly fen: string;
  readonly metric: Metric;
  /** All moves, best first; null if they are not asked for. */
  readonly moves: readonly (Value & { readonly san: string })[] | null;
}

/** The moves that keep the value: as good as the first. */
function bestOf({ moves }: Shown): string[] | null {
  const best = moves?.[0];
  if (!moves || !best) return moves && [];
  return moves.filter(({ wdl, plies }) => wdl === best.wdl && plies === best.plies).map(({ san }) => san);
}

export function jsonLine(shown: Shown): string {
  const { ending, fen, side, value, zugzwang } = shown;
  const best = bestOf(shown);
  const line = {
    ending,
    fen,
    side,
    ...value,
    ...(zugzwang && { zugzwang: zugzwang.kind, passed: zugzwang.passed }),
    ...(best && { best }),
  };
  return `${JSON.stringify(line)}\n`;
}

/** Operations in the order of their names, as the standard has them from programs; so are the moves of `bm`. */
export function epdLine(shown: Shown): string {
  const { ending, number, fen, side, metric, value, zugzwang } = shown;
  const best = bestOf(shown);
  const operations: string[] = [];
  if (best !== null && best.length > 0) operations.push(`bm ${best.sort().join(' ')}`);
  operations.push(`c0 "${inWords(value, metric)}"`);
  if (zugzwang !== null) {
    const other = side === 'white' ? 'Black' : 'White';
    operations.push(
      `c1 "mutual zugzwang, ${zugzwang.kind}; with ${other} to move: ${inWords(zugzwang.passed, metric)}"`,
    );
  }
  // A direct mate is the mover's; it is counted in moves.
  if (metric === 'dtm' && value.wdl === 'win') operations.push(`dm ${Math.ceil(value.plies! / 2)}`);
  operations.push(`id "${ending} ${number}"`);
  const fields = fen.split(' ').slice(0, 4).join(' ');
  return `${fields} ${operations.join('; ')};\n`;
}

function inWords({ wdl, plies }: Value, metric: Metric): string {
  if (plies === null) return wdl;
  return `${wdl} in ${plies} ${plies === 1 ? 'ply' : 'plies'} (${metric})`;
}
