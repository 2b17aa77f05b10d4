/** A plan as people read it. */

import type { CutSlice } from '../../pipeline/engine/crew/cut.js';
import type { Game } from '../../pipeline/game/game.js';
import { waveSizes } from '../../pipeline/game/plan.js';
import { byClass, type ClassOf, MANY_SLICES, total } from './classes.js';
import { tableText } from './document.js';
import { histogram } from './histogram.js';
import { bytes, count, whole } from './numbers.js';

/** The slices, or if they are many their classes; and those that can be solved at once. */
export function planText(game: Game, cuts: readonly CutSlice[]): string {
  const many = cuts.length > MANY_SLICES;
  return `${many ? classTable(byClass(game, cuts)) : sliceTable(cuts)}\n${wavesText(cuts, many)}`;
}

function sliceTable(cuts: readonly CutSlice[]): string {
  const columns = ['slice', 'indices a side', 'parts', 'labels', 'solved', 'memory a task', 'wave'];
  const rows = cuts.map(({ slice, size, parts, labelBytes, partitions, memory, wave }) => [
    slice,
    whole(size),
    whole(parts),
    bytes(labelBytes),
    partitions === 1 ? 'in one step' : `in ${whole(partitions)} partitions`,
    bytes(memory),
    whole(wave),
  ]);
  return tableText({ columns, rows });
}

function classTable(classes: readonly ClassOf<CutSlice>[]): string {
  const columns = [
    'class',
    'slices',
    'indices a side',
    'parts',
    'labels',
    'solved',
    'memory a task',
    'waves',
  ];
  const rows = classes.map(({ name, members }) => {
    const waves = members.map(({ wave }) => wave);
    const [first, last] = [Math.min(...waves), Math.max(...waves)];
    const most = Math.max(...members.map(({ partitions }) => partitions));
    return [
      name,
      whole(members.length),
      whole(total(members, ({ size }) => size)),
      whole(total(members, ({ parts }) => parts)),
      bytes(total(members, ({ labelBytes }) => labelBytes)),
      most === 1 ? 'in one step each' : `in up to ${whole(most)} partitions each`,
      bytes(Math.max(...members.map(({ memory }) => memory))),
      first === last ? whole(first) : `${whole(first)}-${whole(last)}`,
    ];
  });
  return tableText({ columns, rows });
}

function wavesText(cuts: readonly CutSlice[], many: boolean): string {
  const sizes = waveSizes(cuts);
  const widest = Math.max(...sizes);
  const sum = `${count(cuts.length, 'slice')} in ${count(sizes.length, 'wave')}, at most ${whole(widest)} in one (wave ${sizes.indexOf(widest) + 1}); those of one wave do not depend on each other\n`;
  if (!many) return sum;
  const byWave = sizes.map((size, i) => [i + 1, size] as const);
  return `${sum}\nSlices by wave:\n${histogram(byWave, 'wave')}`;
}
