/** The part of the package root that definitions of games use. It loads in a tenth of the time of the whole. */
export { DamageError, StorageError, UserError } from '../operators/core/errors.js';
export { fillCensus, newCensus, readStatus } from './game/fill-census.js';
export * from './game/game.js';
export { keyedGame } from './games/yours/keyed/keyed-game.js';
export { simpleGame } from './games/yours/numbered/deprecated.js';
export { numberedGame } from './games/yours/numbered/numbered-game.js';
