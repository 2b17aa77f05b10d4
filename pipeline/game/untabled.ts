import { UserError } from '../../operators/core/errors.js';

/** The position is legal, but has more men than any table can hold. */
export class TooManyMenError extends UserError {}
