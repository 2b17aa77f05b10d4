/** Made by: npm run bench -- --only estimate --calibration pipeline/estimate/measured.ts. docs/estimate.md names the run. */
import type { Calibration } from './calibration.js';

export const MEASURED: Calibration = {
  machine: '2 x AMD EPYC, 24 GiB, Node v20.20.2; KBBKN',
  processSeconds: 0.13,
  enumerateNs: 16.2,
  finishNs: 13.3,
  convertNs: 22.8,
  requestNs: 31.6,
  verifyNs: 19.2,
  byteNs: 0.4,
  touched: 0.26,
  peak: 3.2,
  verifyReadBytes: 2.92,
};
