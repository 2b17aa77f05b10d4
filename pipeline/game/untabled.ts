import { UserError } from '../../operators/core/errors.js';

/** The position is legal, but no table can hold it: it has too many men, or rights to castle. */
export class UntabledError extends UserError {}
