/** A pace by which one partition does rounds for all as soon as they have few requests, however long they took. */
import { PACE, type Pace } from '../../pipeline/engine/crew/pace.js';

export const EAGER: Pace = { ...PACE, requestMs: 0, positionMs: 0 };

/** All partitions do all rounds: none has so few requests that one partition does it for them. */
export const BY_ALL: Pace = { ...PACE, fewRequests: 0 };
