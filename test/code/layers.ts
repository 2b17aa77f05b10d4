/**
 * Puts the nodes of a graph into layers, so that most arrows point down (Sugiyama, Tagawa and Toda 1981). The same graph
 * always has the same layers.
 */
export interface ImportArrow {
  readonly from: string;
  readonly to: string;
  /** Reasons for it; the order of nodes keeps the arrows with most of them pointing down. */
  readonly weight: number;
}

export interface Layered {
  /** From the top down; in each the places from left to right. */
  readonly layers: readonly (readonly Spot[])[];
  /** Arrows that point down, without those that a way of others says as well: the places on their way. */
  readonly down: readonly (readonly Spot[])[];
  /** Arrows that point up. */
  readonly up: readonly (readonly [Spot, Spot])[];
}

/** The place of a node, or where a long arrow passes a layer. */
export interface Spot {
  readonly node: string | null;
  readonly layer: number;
  readonly above: Spot[];
  readonly below: Spot[];
}

const SWEEPS = 40;

export function layered(nodes: readonly string[], arrows: readonly ImportArrow[]): Layered {
  const order = ordered([...nodes].sort(), arrows);
  const at = new Map(order.map((node, i) => [node, i]));
  const isDown = ({ from, to }: ImportArrow) => at.get(from)! < at.get(to)!;
  const shown = reduced(order, arrows.filter(isDown));
  const depth = depths(order, shown);
  const layers: Spot[][] = Array.from({ length: Math.max(...depth.values()) + 1 }, () => []);
  const newPlace = (node: string | null, layer: number): Spot => {
    const place: Spot = { node, layer, above: [], below: [] };
    layers[layer].push(place);
    return place;
  };
  const places = new Map(order.map((node) => [node, newPlace(node, depth.get(node)!)]));
  const down = shown.map(({ from, to }) => {
    const way = [places.get(from)!];
    for (let layer = depth.get(from)! + 1; layer < depth.get(to)!; layer++) way.push(newPlace(null, layer));
    way.push(places.get(to)!);
    for (let i = 1; i < way.length; i++) {
      way[i - 1].below.push(way[i]);
      way[i].above.push(way[i - 1]);
    }
    return way;
  });
  const up = arrows
    .filter((arrow) => !isDown(arrow))
    .map(({ from, to }): [Spot, Spot] => [places.get(from)!, places.get(to)!]);
  return { layers: uncrossed(layers), down, up };
}

/** The nodes in an order in which little weight points up: a node is moved as long as that makes it less. */
function ordered(nodes: readonly string[], arrows: readonly ImportArrow[]): string[] {
  const weights = new Map(arrows.map(({ from, to, weight }) => [`${from} ${to}`, weight]));
  const weight = (from: string, to: string) => weights.get(`${from} ${to}`) ?? 0;
  const order = [...nodes];
  for (let isBetter = true; isBetter; ) {
    isBetter = false;
    for (const node of nodes) {
      const others = order.filter((each) => each !== node);
      // The weight that points up if the node comes first, and then behind each of the others.
      let cost = others.reduce((sum, other) => sum + weight(other, node), 0);
      const costs = [cost];
      for (const other of others) {
        cost += weight(node, other) - weight(other, node);
        costs.push(cost);
      }
      const least = Math.min(...costs);
      if (costs[order.indexOf(node)] === least) continue;
      order.splice(0, order.length, ...others.toSpliced(costs.indexOf(least), 0, node));
      isBetter = true;
    }
  }
  return order;
}

/** Without the arrows from whose beginning other arrows lead to their end. */
function reduced(order: readonly string[], arrows: readonly ImportArrow[]): ImportArrow[] {
  const reached = new Map<string, Set<string>>();
  for (const node of order.toReversed()) {
    const own = arrows.filter(({ from }) => from === node).map(({ to }) => to);
    reached.set(node, new Set([...own, ...own.flatMap((to) => [...reached.get(to)!])]));
  }
  return arrows.filter(
    ({ from, to }) => !arrows.some((other) => other.from === from && reached.get(other.to)!.has(to)),
  );
}

/** The layer of each node: below all that point to it, and as far down as makes its arrows short. */
function depths(order: readonly string[], arrows: readonly ImportArrow[]): Map<string, number> {
  const depth = new Map<string, number>();
  for (const node of order) {
    const above = arrows.filter(({ to }) => to === node).map(({ from }) => depth.get(from)! + 1);
    depth.set(node, Math.max(0, ...above));
  }
  for (const node of order.toReversed()) {
    const above = arrows.filter(({ to }) => to === node).length;
    const below = arrows.filter(({ from }) => from === node).map(({ to }) => depth.get(to)! - 1);
    if (below.length > above) depth.set(node, Math.min(...below));
  }
  return depth;
}

/** Orders each layer by the middle of its neighbours, down and up again, and keeps the order with the fewest crossings. */
function uncrossed(layers: readonly Spot[][]): Spot[][] {
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(best);
  let now = best;
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const side = sweep % 2 === 0 ? 'above' : 'below';
    const next = now.map((layer) => [...layer]);
    const at = new Map<Spot, number>();
    const number = (layer: readonly Spot[]) => layer.forEach((place, i) => void at.set(place, i));
    next.forEach(number);
    for (const layer of side === 'above' ? next : next.toReversed()) {
      const middle = new Map(
        layer.map((place) => {
          const near = place[side].map((each) => at.get(each)!);
          return [place, near.length === 0 ? at.get(place)! : near.reduce((a, b) => a + b) / near.length];
        }),
      );
      layer.sort((a, b) => middle.get(a)! - middle.get(b)!);
      number(layer);
    }
    now = next;
    const count = crossings(next);
    if (count < fewest) [best, fewest] = [next, count];
  }
  return best;
}

function crossings(layers: readonly (readonly Spot[])[]): number {
  let count = 0;
  for (const [i, layer] of layers.entries()) {
    const at = new Map(layers[i + 1]?.map((place, j) => [place, j]));
    const ends = layer.map((place) => place.below.map((each) => at.get(each)!));
    for (const [j, left] of ends.entries())
      for (const right of ends.slice(j + 1)) for (const a of left) for (const b of right) if (a > b) count++;
  }
  return count;
}
