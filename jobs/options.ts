/** Options that several commands share, and the checks of their values. */
import { type Command, Option } from 'commander';
import { UserError } from '../operators/core/errors.js';
import type { Game } from '../pipeline/game.js';
import { type Metric, metrics } from '../pipeline/value.js';

export interface CommonOptions {
  readonly store: string;
  readonly json?: boolean;
}

export interface MetricOptions extends CommonOptions {
  readonly metric: Metric;
}

export const DEFAULT_STORE = './tables';

export function withStore(command: Command): Command {
  return command
    .option(
      '--store <uri>',
      'where the tables are: a folder, file:path, file:///path or s3://bucket/prefix',
      DEFAULT_STORE,
    )
    .option('--json', 'print JSON');
}

export function withMetric(command: Command): Command {
  return command.addOption(metricOption().default('dtm'));
}

export function metricOption(): Option {
  return new Option(
    '--metric <metric>',
    'wdl, dtm (plies to mate) or dtc (plies to mate or conversion)',
  ).choices(metrics);
}

/** A reader of whole numbers between bounds, for commander. */
export function wholeNumber(what: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new UserError(`${what}: ${JSON.stringify(text)} is no whole number from ${least} to ${most}`);
  };
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
  if (slices.length === 1) return { name, slice: slices[0], flipped };
  throw new UserError(`${name} is ${slices.length} slices: name one of them, such as ${slices.at(-1)}`);
}
