import { type Codec, CodeKind } from './codes.js';

/** The results that a position may still get in this round. */
export const Ask = { nothing: 0, win: 1, loss: 2 } as const;
/** Knowledge of a successor before this round. */
export const Known = { nothing: 0, lost: 1, won: 2 } as const;

/**
 * Meanings of the codes in one round, as tables by code, so that one inner loop serves all metrics. A value set in round n
 * has ply n or more and is therefore not known in round n. So the order in which a round takes positions does not matter,
 * nor does it matter if it is done twice. Under `wdl` there are no plies; what is set is known at once.
 */
export interface RoundRules {
  readonly ask: Uint8Array;
  readonly known: Uint8Array;
  /** The new code of a position with this code when all its moves that stay in the slice are known to lose. */
  readonly lost: Uint16Array;
  /** The new code of a position when one of its moves is known to win. */
  won: number;
}

export function newRules(codec: Codec): RoundRules {
  const { codes } = codec;
  const rules = {
    ask: new Uint8Array(codes),
    known: new Uint8Array(codes),
    lost: new Uint16Array(codes),
    won: 0,
  };
  for (let code = 0; code < codes; code++) {
    const kind = codec.kindOf[code];
    if (kind === CodeKind.none || kind === CodeKind.pending) rules.ask[code] = Ask.win | Ask.loss;
    else if (kind === CodeKind.drawn) rules.ask[code] = Ask.win;
    rules.lost[code] = codec.loss(1);
    rules.known[code] =
      kind === CodeKind.win ? Known.won : kind === CodeKind.loss ? Known.lost : Known.nothing;
  }
  rules.won = codec.win(1);
  return rules;
}

/**
 * Sets the rules of round `ply` (distances only), with `wanted` (of Ask) being sought. A win needs a successor lost
 * at ply - 1, a loss one that is won at ply - 1. Where there are none, the positions need not be asked.
 */
export function setRound(rules: RoundRules, codec: Codec, ply: number, wanted: number): void {
  const { kindOf, plyOf } = codec;
  const { ask, known, lost } = rules;
  rules.won = codec.win(ply);
  for (let code = 0; code < codec.codes; code++) {
    const kind = kindOf[code];
    const own = plyOf[code];
    if (kind === CodeKind.win) {
      ask[code] = own > ply ? Ask.win & wanted : Ask.nothing;
      known[code] = own < ply ? Known.won : Known.nothing;
    } else if (kind === CodeKind.loss) {
      known[code] = own < ply ? Known.lost : Known.nothing;
    } else if (kind === CodeKind.none || kind === CodeKind.pending) {
      ask[code] = (Ask.win | Ask.loss) & wanted;
      // A loss lasts as long as its longest line, captures included.
      lost[code] = codec.loss(Math.max(ply, own));
    } else if (kind === CodeKind.drawn) ask[code] = Ask.win & wanted;
  }
}
