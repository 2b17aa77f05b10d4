/** Options that several commands share, and the checks of their values. */
import type { Command } from 'commander';
import { UserError } from '../operators/core/errors.js';
import type { Ending, Game } from '../pipeline/game.js';
import type { Metric } from '../pipeline/value.js';
import { Bounds } from './bounds.js';
import { games } from './registry.js';
import type { CommonOptions } from './store-option.js';

export interface MetricOptions extends CommonOptions {
  /** As it was typed; undefined: the game's first. */
  readonly metric?: string;
}

export function withMetric(command: Command): Command {
  const each = [...games.values()].map(({ name, metrics }) => `${name} has ${metrics.join(', ')}`);
  return command.option(
    '--metric <metric>',
    'what the tables hold: wdl, plies to mate (dtm), to the end of the game (dtw), to that or a conversion (dtc),' +
      ' or to that or a capture or move of a pawn, with the 50-move rule (dtz);' +
      ` ${each.join('; ')}, the first by default`,
  );
}

/** The metric asked for, in capital letters or small ones, or the game's first. Throws UserError, with those it has, for one that it has not. */
export function metricOf({ name, metrics }: Game, asked: string | undefined): Metric {
  const metric = asked === undefined ? metrics[0] : metrics.find((each) => each === asked.toLowerCase());
  if (metric !== undefined) return metric;
  throw new UserError(`metric: ${name} has no ${JSON.stringify(asked)} (it has: ${metrics.join(', ')})`);
}

export function withPieces(command: Command): Command {
  return command.option(
    '--men, --pieces <n>',
    'all endings of at most so many pieces; kings and pawns are pieces',
    wholeNumber('--pieces', Bounds.pieces.least, Bounds.pieces.most),
  );
}

/** A reader of whole numbers between bounds, for commander. */
export function wholeNumber(what: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new UserError(`${what}: ${JSON.stringify(text)} is no whole number from ${least} to ${most}`);
  };
}

/** The endings named and, with `pieces`, all of at most so many pieces; each once. Throws UserError if that is none. */
export function askEndings(game: Game, names: readonly string[], pieces: number | undefined): Ending[] {
  const named = names.map((name) => game.ending(name));
  if (named.length === 0 && pieces === undefined && game.whole !== undefined) return [game.whole];
  const endings = pieces === undefined ? named : [...named, ...game.endingsUpTo(pieces)];
  if (endings.length > 0) return [...new Map(endings.map((ending) => [ending.name, ending])).values()];
  throw new UserError(
    pieces === undefined
      ? `name the endings of ${game.name}, or give --pieces N for all of at most so many`
      : `${game.name} has no endings of at most ${pieces} pieces`,
  );
}

/** The slices of endings, each once. */
export function slicesOf(endings: readonly Ending[]): string[] {
  return [...new Set(endings.flatMap(({ slices }) => slices))];
}

/** One slice as it was asked for. */
export interface Asked {
  /** As people name it: the canonical name, or the name with its sides exchanged. */
  readonly name: string;
  readonly slice: string;
  /** Side 0 of the slice has the colour of side 1. */
  readonly flipped: boolean;
}

/** Throws UserError for names that are no ending, or several slices. */
export function askSlice(game: Game, text: string): Asked {
  const { name, slices, flipped } = game.ending(text);
  if (slices.length === 1) return { name, slice: slices[0]!, flipped };
  throw new UserError(`${name} is ${slices.length} slices: name one of them, such as ${slices.at(-1)}`);
}
