/**
 * Guesses from its first layers how many positions a game has.
 *
 * In most games a layer is larger than the one before by a factor that falls from layer to layer, by about the same share.
 * Layers are added up until they become smaller; those behind are left out. For Connect Four of 4x5 to 5x5 squares guesses are 0.6
 * to 4 times what is right, once 60,000 positions are found. Where growth does not fall yet, the guess is infinite.
 */

/** Layers as small as these say little. */
const LEAST = 1 << 10;
/** Growth that falls by next to nothing would be followed for ever. */
const MOST_LAYERS = 1000;

/** @param layers the sizes of at least the last four layers, the newest last. Returns 0 if it is too early for an estimate. */
export function guessNodes(layers: readonly number[], nodes: number): number {
  const [first = 0, second = 0, third = 0, last = 0] = layers.slice(-4);
  if (first < LEAST) return 0;
  // Over two layers: the players' moves may make layers grow in turns.
  let growth = Math.sqrt(last / second);
  const falling = growth / Math.sqrt(third / first);
  if (growth > 1 && falling >= 1) return Number.POSITIVE_INFINITY;
  let layer = last;
  let sum = nodes;
  for (let i = 0; i < MOST_LAYERS; i++) {
    growth *= falling;
    if (growth <= 1) break;
    layer *= growth;
    sum += layer;
  }
  return sum;
}
