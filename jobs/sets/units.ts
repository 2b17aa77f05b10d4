/**
 * The endings of a set of Syzygy files, and the steps that each takes. An ending is *solved* into tables, its files are *written* from
 * these and from the tables of what it converts to, and then the files are *verified*, by files alone.
 */
import { sort } from 'fast-sort';
import type { Game } from '../../pipeline/game/game.js';
import { planSlices } from '../../pipeline/game/plan.js';
import { type FiledEnding, filedEndingOf } from '../../pipeline/games/chess/syzygy/endings.js';

/** An ending of a set, with all slices that belong to it. */
export class Unit {
  /** Its slices, those with a right to capture en passant among them. */
  readonly slices: string[] = [];
  /** The units that its captures and promotions lead to. */
  readonly before = new Set<Unit>();
  /** Indices of both sides of all its slices: a measure of the work. */
  indices = 0;

  /**
   * @param name as files are named: KQvKR; KK of the two kings alone.
   * @param filed null for the two kings alone, which are solved and have no files.
   */
  constructor(
    readonly name: string,
    readonly filed: FiledEnding | null,
  ) {}

  get men(): number {
    return this.filed?.material.men.length ?? 2;
  }

  get hasPawns(): boolean {
    return (this.filed?.material.leadingPawns.length ?? 0) > 0;
  }

  /** All units that its moves lead to, directly or not. */
  reached(): Set<Unit> {
    const all = new Set(this.before);
    for (const unit of all) for (const next of unit.before) all.add(next);
    return all;
  }
}

/** Indices of both sides of a slice. */
export function indicesOf(game: Pick<Game, 'slice'>, slice: string): number {
  const { parts, width } = game.slice(slice);
  return 2 * parts * width;
}

/** All units of a set: those of few men first, and among these the small ones. */
export function unitsOf(game: Game, filed: readonly FiledEnding[]): Unit[] {
  const byEnding = new Map(filed.map((one) => [one.ending.name, one]));
  const units = new Map<string, Unit>();
  const owners = new Map<string, Unit>();
  const plan = planSlices(
    game,
    filed.flatMap(({ slices }) => slices),
  );
  for (const { slice } of plan) {
    const { name } = filedEndingOf(game, slice);
    const one = byEnding.get(name) ?? null;
    const unit = units.get(name) ?? new Unit(one?.material.name ?? name, one);
    units.set(name, unit);
    owners.set(slice, unit);
    unit.slices.push(slice);
    unit.indices += indicesOf(game, slice);
  }
  for (const { slice, dependencies } of plan) {
    const unit = owners.get(slice)!;
    for (const dependency of dependencies) unit.before.add(owners.get(dependency)!);
    unit.before.delete(unit);
  }
  return sort([...units.values()]).asc([({ men }) => men, ({ indices }) => indices, ({ name }) => name]);
}
