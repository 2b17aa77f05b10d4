/** Prices of machines and storage, as the user gives them: by flags, by a JSON file, or not at all. */
import { z } from 'zod';
import { UserError } from '../operators/core/errors.js';
import type { Prices } from '../pipeline/estimate/estimate.js';
import { readJson } from './json-file.js';

/** Usual round figures of no provider in particular: an assumption, labelled as one wherever it is used. */
export const ASSUMED_PRICES: Prices = {
  thousandPuts: 0.005,
  thousandGets: 0.0004,
  gigabyteMonth: 0.025,
  machineHour: 0.1,
};

const price = z.number().min(0).optional();
const PriceFile = z.strictObject({
  thousandPuts: price,
  thousandGets: price,
  gigabyteMonth: price,
  machineHour: price,
});

export type GivenPrices = { readonly [K in keyof Prices]?: Prices[K] | undefined };

/** Prices by flags, else by the file, else assumed. Throws UserError that names the file and the key. */
export async function readPrices(file: string | undefined, flags: GivenPrices): Promise<Prices> {
  const fromFile = file === undefined ? {} : await readPriceFile(file);
  const given = [...Object.entries(fromFile), ...Object.entries(flags)].filter(
    ([, value]) => value !== undefined,
  );
  return { ...ASSUMED_PRICES, ...Object.fromEntries(given) };
}

async function readPriceFile(path: string): Promise<GivenPrices> {
  const parsed = PriceFile.safeParse(await readJson(path));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  const known =
    issue.code === 'unrecognized_keys' ? ` (known: ${Object.keys(PriceFile.shape).join(', ')})` : '';
  throw new UserError(`prices ${path}: ${where}${issue.message}${known}`);
}
