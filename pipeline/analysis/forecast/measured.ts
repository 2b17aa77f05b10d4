/** Made by: npm run bench -- --only estimate --calibration pipeline/analysis/forecast/measured.ts. docs/estimate.md names the run. */
import type { Calibration } from './calibration.js';

export const MEASURED: Calibration = {
  machine: '2 x AMD EPYC, 24 GiB, Node v20.20.2; KBBKN',
  processSeconds: 0.114,
  enumerateNs: 5.8,
  finishNs: 12,
  convertNs: 15.2,
  requestNs: 19.7,
  verifyNs: 1.99,
  byteNs: 0.213,
  touched: 0.153,
  peak: 3.2,
  verifyReadBytes: 0.615,
};
