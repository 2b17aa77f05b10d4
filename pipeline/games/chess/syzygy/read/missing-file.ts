import { UserError } from '../../../../../operators/core/errors.js';

/** A file that a question needs is not there. */
export class MissingFileError extends UserError {}
