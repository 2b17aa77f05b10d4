/** The constants of the cost model that a machine measured, as `npm run bench -- --only estimate` writes them. */
import { z } from 'zod';
import { UserError } from '../operators/core/errors.js';
import type { Calibration } from '../pipeline/estimate/calibration.js';
import { MEASURED } from '../pipeline/estimate/measured.js';
import { readJson } from './json-file.js';

const amount = z.number().min(0);
const CalibrationFile = z.strictObject({
  machine: z.string(),
  processSeconds: amount,
  enumerateNs: amount,
  convertNs: amount,
  requestNs: amount,
  finishNs: amount,
  verifyNs: amount,
  byteNs: amount,
  touched: amount,
  peak: amount,
  verifyReadBytes: amount,
});

/** Constants from the file; without one, those measured with this version. Throws UserError that names the file and the key. */
export async function readCalibration(path: string | undefined): Promise<Calibration> {
  if (path === undefined) return MEASURED;
  const parsed = CalibrationFile.safeParse(await readJson(path));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UserError(`calibration ${path}: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
}
