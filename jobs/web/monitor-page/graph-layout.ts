/**
 * Where the slices stand. Those of a wave are in lines below each other, the first wave on top. So every slice stands
 * below all that it depends on. In a wave they are ordered by the middle of what they depend on, which keeps most
 * edges short. This is the barycentre heuristic of layered drawing (Sugiyama, Tagawa & Toda 1981).
 */

export interface Node {
  readonly slice: string;
  readonly wave: number;
  readonly dependencies: readonly string[];
}

export interface Size {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
  /** Between waves, for edges to run in. */
  readonly waveGap: number;
}

export interface Layout {
  readonly height: number;
  /** Left upper corners. */
  readonly at: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
  /** The slices as they are read, line by line. */
  readonly lines: readonly (readonly string[])[];
}

export function layOut(nodes: readonly Node[], width: number, size: Size): Layout {
  const perLine = Math.max(1, Math.floor((width + size.gap) / (size.width + size.gap)));
  const at = new Map<string, { x: number; y: number }>();
  const lines: string[][] = [];
  let y = 0;
  for (const wave of wavesOf(nodes)) {
    const middle = (node: Node): number => {
      const xs = node.dependencies.flatMap((to) => at.get(to)?.x ?? []);
      return xs.length === 0 ? width / 2 : xs.reduce((sum, x) => sum + x, 0) / xs.length;
    };
    const ordered = wave
      .map((node) => ({ node, middle: middle(node) }))
      .sort((a, b) => a.middle - b.middle || a.node.slice.localeCompare(b.node.slice));
    // Lines as full as each other.
    const rows = Math.ceil(ordered.length / perLine);
    for (let row = 0; row < rows; row++) {
      const line = ordered.slice(
        Math.floor((row * ordered.length) / rows),
        Math.floor(((row + 1) * ordered.length) / rows),
      );
      const left = (width - (line.length * (size.width + size.gap) - size.gap)) / 2;
      for (const [i, { node }] of line.entries()) {
        at.set(node.slice, { x: Math.max(0, left) + i * (size.width + size.gap), y });
      }
      lines.push(line.map(({ node }) => node.slice));
      y += size.height + size.gap;
    }
    y += size.waveGap - size.gap;
  }
  return { height: Math.max(0, y - size.waveGap), at, lines };
}

function wavesOf(nodes: readonly Node[]): Node[][] {
  const waves = new Map<number, Node[]>();
  for (const node of nodes) waves.set(node.wave, [...(waves.get(node.wave) ?? []), node]);
  return [...waves].sort(([a], [b]) => a - b).map(([, wave]) => wave);
}

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** From each slice to what it depends on, without those that other edges imply. */
export function edgesOf(nodes: readonly Node[]): Edge[] {
  const known = new Map(nodes.map((node) => [node.slice, node]));
  const reached = new Map<string, Set<string>>();
  const reach = (slice: string): Set<string> => {
    const before = reached.get(slice);
    if (before !== undefined) return before;
    const found = new Set<string>();
    reached.set(slice, found);
    for (const to of known.get(slice)?.dependencies ?? []) {
      found.add(to);
      for (const further of reach(to)) found.add(further);
    }
    return found;
  };
  return nodes.flatMap(({ slice, dependencies }) =>
    dependencies
      .filter((to) => !dependencies.some((other) => other !== to && reach(other).has(to)))
      .map((to) => ({ from: slice, to })),
  );
}
