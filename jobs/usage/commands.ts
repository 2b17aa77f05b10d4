/** All commands, by what people want. */
import { exportRows, probe, stats, study } from './asking.js';
import { check, compare, scrub, status, verify } from './keeping.js';
import type { Usage } from './options.js';
import { publish, serve, uci } from './sharing.js';
import { plan, rank, solve } from './solving.js';

export const GROUPS: Readonly<Record<string, Readonly<Record<string, Usage>>>> = {
  Solve: { solve, verify, plan, status },
  Ask: { probe, stats, export: exportRows, study },
  Share: { publish, serve, uci },
  Keep: { scrub, check, compare },
};

export const usages: Readonly<Record<string, Usage>> = Object.assign({ rank }, ...Object.values(GROUPS));
