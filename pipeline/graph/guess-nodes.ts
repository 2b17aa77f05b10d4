/**
 * Guesses from its first layers how many positions a game has.
 *
 * In most games a layer is larger than the one before by a factor that falls from layer to layer, by about the same share. So layers
 * grow, and then shrink as they grew.
 */

/** Layers as small as these say little. */
const LEAST = 1 << 10;
/** Growth that falls by next to nothing would be followed for ever. */
const MOST_LAYERS = 1000;

/**
 * How many positions a game has, those behind its largest layer left out. For Connect Four of 4x5 to 5x5 squares guesses are 0.6
 * to 4 times what is right, once 60,000 positions are found. Where growth does not fall yet, the guess is infinite.
 *
 * @param layers the sizes of at least the last four layers, if there are so many, the newest last. Returns 0 if it is too early for an estimate.
 */
export function guessNodes(layers: readonly number[], nodes: number): number {
  const ahead = guessAhead(layers, 1);
  return ahead === null ? 0 : nodes + ahead;
}

/**
 * How many positions the layers behind these have, each of which is more than `least` times the one before: as long as layers grow, or
 * with 0 all of them. Null if it is too early for an estimate; infinite where growth does not fall yet.
 */
export function guessAhead(layers: readonly number[], least: 0 | 1): number | null {
  if (layers.length < 4) return null;
  const [first, second, third, last] = layers.slice(-4);
  if (first < LEAST) return null;
  // Over two layers: the players' moves may make layers grow in turns.
  let growth = Math.sqrt(last / second);
  const falling = growth / Math.sqrt(third / first);
  if (growth > 1 && falling >= 1) return Number.POSITIVE_INFINITY;
  let layer = last;
  let sum = 0;
  for (let i = 0; i < MOST_LAYERS && layer >= 1; i++) {
    // Layers that shrink go on shrinking.
    growth *= Math.min(1, falling);
    if (growth <= least) break;
    layer *= growth;
    sum += layer;
  }
  return sum;
}
