/** Draws which folder imports which, as a picture in SVG: a frame for each plane, with its folders in layers. */
import { basename } from 'node:path';
import type { Import } from './imports.js';
import { type ImportArrow, type Layered, layered, type Spot } from './layers.js';

const PLANES = ['jobs', 'pipeline', 'operators'];

const SIDE = 12;
const BOX_HEIGHT = 26;
const LAYER_HEIGHT = 60;
/** Between frames. */
const LANE = 44;
const LETTER = 7.4;
const GAP = 14;
const HEAD = 40;
const SWEEPS = 60;
/** Arrows up begin and end so far from the middle of boxes, where arrows down do. */
const ASIDE = 9;

const STYLE = `
    .plane { fill: #f7f9fb; stroke: #c4ccd5 } .name { fill: #1c2733; font-size: 15px; font-weight: 600 }
    .box { fill: #e3ecf9; stroke: #47699e } .text { fill: #1c2733; font-size: 12.5px; text-anchor: middle }
    .down { stroke: #7a8694; fill: none; marker-end: url(#down) } .up { stroke: #c2410c; fill: none; stroke-dasharray: 4 3; marker-end: url(#up) }
    .across { stroke: #7a8694; stroke-width: 2.5; fill: none; marker-end: url(#down) }
    .head { fill: #7a8694 } .against { fill: #c2410c } .note { fill: #5a6675; font-size: 12px }
    @media (prefers-color-scheme: dark) {
      .plane { fill: #161c24; stroke: #3a4654 } .name, .text { fill: #e8edf3 } .box { fill: #1d2a3f; stroke: #7fa3da }
      .down, .across { stroke: #8c98a6 } .head { fill: #8c98a6 } .up { stroke: #fb923c } .against { fill: #fb923c } .note { fill: #a9b4c0 }
    }`;

/**
 * The node of a file: its plane and the folder in it. Of the files that lie in no folder of the plane, those that its
 * folders need are one node, and the others are another one.
 */
function newNodeOf(imports: readonly Import[]): (path: string) => string {
  const planeOf = (path: string) => path.slice(0, path.indexOf('/'));
  const isLoose = (path: string) => path.split('/').length === 2;
  const loose = new Set(imports.map(({ from }) => from).filter(isLoose));
  const needed = new Set<string>();
  const need = (path: string): void => {
    if (needed.has(path) || !loose.has(path)) return;
    needed.add(path);
    for (const { from, to } of imports) if (from === path) need(sourceOf(to));
  };
  for (const { from, to } of imports) if (!isLoose(from) && planeOf(from) === planeOf(to)) need(sourceOf(to));
  const label = (path: string) => {
    const like = [...loose].filter(
      (each) => planeOf(each) === planeOf(path) && needed.has(each) === needed.has(path),
    );
    return like.length < 3 ? like.map((each) => basename(each)).join(', ') : '*.ts';
  };
  return (path) => `${planeOf(path)}/${isLoose(path) ? label(sourceOf(path)) : path.split('/')[1]}`;
}

const sourceOf = (path: string) => path.replace(/\.js$/, '.ts');

function arrowsOf(imports: readonly Import[]): { nodes: string[]; arrows: ImportArrow[] } {
  const nodeOf = newNodeOf(imports);
  const weights = new Map<string, Map<string, number>>();
  for (const { from, to } of imports) {
    const inner = weights.get(nodeOf(from)) ?? new Map<string, number>();
    weights.set(nodeOf(from), inner);
    if (!PLANES.includes(to.split('/')[0]) || nodeOf(from) === nodeOf(to)) continue;
    inner.set(nodeOf(to), (inner.get(nodeOf(to)) ?? 0) + 1);
  }
  const arrows = [...weights].flatMap(([from, inner]) =>
    [...inner].map(([to, weight]) => ({ from, to, weight })),
  );
  return { nodes: [...weights.keys()], arrows };
}

/** The pipeline, which has the most layers, is at the right, and the others above each other at its left. */
export function pictureOf(imports: readonly Import[]): string {
  const { nodes, arrows } = arrowsOf(imports);
  const [jobs, pipeline, operators] = PLANES.map((plane) => {
    const isIn = (node: string) => node.startsWith(`${plane}/`);
    const inside = arrows.filter(({ from, to }) => isIn(from) && isIn(to));
    return drawPlane(plane, layered(nodes.filter(isIn), inside));
  });
  const left = Math.max(jobs.width, operators.width);
  const height = Math.max(jobs.height + LANE + operators.height, pipeline.height);
  const width = left + LANE + pipeline.width;
  const below = height - operators.height;
  const framed = ({ plane, text, width }: Drawn, x: number, y: number, w: number, h: number) =>
    `  <g transform="translate(${x} ${y})">
    <rect class="plane" width="${w}" height="${h}" rx="8"/>
    <text class="name" x="${SIDE}" y="25">${plane}</text>
    <g transform="translate(${round((w - width) / 2)} 0)">
${text}
    </g>
  </g>`;
  const across = (d: string) => `  <path class="across" d="${d}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 ${width + 2} ${height + 28}" font-family="ui-sans-serif, system-ui, sans-serif" role="img" aria-label="Which folder imports which">
  <title>Which folder imports which</title>
  <style>${STYLE}
  </style>
  <defs>
    <marker id="down" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker>
    <marker id="up" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="against" d="M0 0L8 4L0 8z"/></marker>
  </defs>
${framed(jobs, 0, 0, left, below - LANE)}
${framed(pipeline, left + LANE, 0, pipeline.width, height)}
${framed(operators, 0, below, left, operators.height)}
${across(`M${left + 4} ${round((below - LANE) / 2)}h${LANE - 8}`)}
${across(`M${round(left / 2)} ${below - LANE + 4}v${LANE - 8}`)}
${across(`M${left + LANE - 4} ${round(below + operators.height / 2)}h${8 - LANE}`)}
  <text class="note" x="0" y="${height + 20}">A folder imports those below that its arrows lead to, at once or by way of others. Dashed: it imports one above it.</text>
</svg>
`;
}

interface Drawn {
  readonly plane: string;
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

function drawPlane(plane: string, { layers, down, up }: Layered): Drawn {
  const x = spread(layers);
  const y = ({ layer }: Spot) => HEAD + layer * LAYER_HEIGHT;
  const lines: string[] = [];
  for (const way of down)
    lines.push(`<path class="down" d="${curve(way.map((place) => [x.get(place)!, y(place)]))}"/>`);
  for (const [from, to] of up) {
    const [x0, y0, x1, y1] = [x.get(from)! + ASIDE, y(from), x.get(to)! + ASIDE, y(to) + BOX_HEIGHT].map(
      round,
    );
    lines.push(`<path class="up" d="M${x0} ${y0}C${x0} ${y0 - 26} ${x1} ${y1 + 26} ${x1} ${y1}"/>`);
  }
  for (const place of layers.flat()) {
    if (place.node === null) continue;
    const [middle, width] = [x.get(place)!, widthOf(place)];
    lines.push(
      `<rect class="box" x="${round(middle - width / 2)}" y="${y(place)}" width="${round(width)}" height="${BOX_HEIGHT}" rx="5"/>`,
      `<text class="text" x="${round(middle)}" y="${y(place) + 17.5}">${labelOf(place.node)}</text>`,
    );
  }
  return {
    plane,
    text: lines.map((line) => `      ${line}`).join('\n'),
    width: Math.ceil(Math.max(...layers.flat().map((place) => x.get(place)! + widthOf(place) / 2)) + SIDE),
    height: HEAD + (layers.length - 1) * LAYER_HEIGHT + BOX_HEIGHT + SIDE,
  };
}

const round = (value: number) => Math.round(value * 10) / 10;
const labelOf = (node: string) => node.slice(node.indexOf('/') + 1);
const widthOf = ({ node }: Spot) => (node === null ? 0 : labelOf(node).length * LETTER + 18);

/** From the lower edge of the first box to the upper edge of the last, straight down where it passes a layer. */
function curve(points: readonly (readonly [number, number])[]): string {
  const [first, ...others] = points;
  let [x, y] = [first[0], first[1] + BOX_HEIGHT];
  let path = `M${round(x)} ${y}`;
  for (const [i, [toX, toY]] of others.entries()) {
    const middle = (y + toY) / 2;
    path += `C${round(x)} ${middle} ${round(toX)} ${middle} ${round(toX)} ${toY}`;
    [x, y] = [toX, toY];
    if (i < others.length - 1) {
      y += BOX_HEIGHT;
      path += `V${y}`;
    }
  }
  return path;
}

/** Where the places of layers stand: each as near to the middle of its neighbours as the others of its layer allow. */
function spread(layers: Layered['layers']): Map<Spot, number> {
  const x = new Map<Spot, number>();
  for (const layer of layers) {
    const placed = withoutOverlaps(
      layer.map(() => 0),
      layer.map(widthOf),
    );
    for (const [i, place] of layer.entries()) x.set(place, placed[i]);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const wanted = layer.map((place) => {
        const near = [...place.above, ...place.below].map((each) => x.get(each)!);
        return near.length === 0 ? x.get(place)! : near.reduce((a, b) => a + b) / near.length;
      });
      const placed = withoutOverlaps(wanted, layer.map(widthOf));
      for (const [i, place] of layer.entries()) x.set(place, placed[i]);
    }
  const least = Math.min(...layers.flat().map((place) => x.get(place)! - widthOf(place) / 2));
  for (const [place, at] of x) x.set(place, at - least + SIDE);
  return x;
}

/**
 * The places nearest to those that are wanted, by their squared distances, in the same order and without overlaps. Places that
 * would overlap form a group, which stands where its members want to be on average.
 */
function withoutOverlaps(wanted: readonly number[], widths: readonly number[]): number[] {
  const start = [0];
  for (let i = 1; i < widths.length; i++) start.push(start[i - 1] + (widths[i - 1] + widths[i]) / 2 + GAP);
  const groups: { size: number; sum: number }[] = [];
  for (const [i, want] of wanted.entries()) {
    let last = { size: 1, sum: want - start[i] };
    for (let before = groups.at(-1); before !== undefined; before = groups.at(-1)) {
      if (before.sum / before.size <= last.sum / last.size) break;
      last = { size: before.size + last.size, sum: before.sum + last.sum };
      groups.pop();
    }
    groups.push(last);
  }
  const shifts = groups.flatMap(({ size, sum }) => Array<number>(size).fill(sum / size));
  return shifts.map((shift, i) => shift + start[i]);
}
