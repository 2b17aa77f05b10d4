/** Problems of requests, as a status and one line. No line names the place of the store. */

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isMissing, isUnreachable, StorageError, UserError } from '../../operators/core/errors.js';
import { UntabledError } from '../../pipeline/game/untabled.js';
import { MissingFileError } from '../../pipeline/games/chess/syzygy/format.js';
import { MissingTableError } from '../../pipeline/tables/table.js';
import { ChangedRulesError } from '../../pipeline/tables/table-guard.js';
import { errorText } from '../cli/error-text.js';

export class HttpProblem extends Error {
  override name = 'HttpProblem';
  constructor(
    readonly status: ContentfulStatusCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/**
 * Problem that the client sees for an error: bad input is its own, other errors are in the log. Messages of errors may name the place of the
 * store, which `placeless` (places.ts) takes out before they are sent.
 */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof ChangedRulesError)
    return new HttpProblem(409, 'the rules of the game were changed since its tables were solved');
  if (error instanceof UntabledError) return new HttpProblem(404, oneLine(errorText(error)));
  // The words of these two are for the command line: they name the store and a command that makes the table.
  if (error instanceof MissingTableError)
    return new HttpProblem(404, `there is no table of ${error.slice} here`);
  if (error instanceof MissingFileError)
    return new HttpProblem(404, 'a Syzygy file of this ending, or of one that it leads to, is missing here');
  if (error instanceof UserError) return new HttpProblem(400, oneLine(errorText(error)));
  if (error instanceof StorageError) {
    return isUnreachable(error)
      ? new HttpProblem(503, 'the store cannot be read at the moment', { 'Retry-After': '5' })
      : new HttpProblem(502, 'a table in the store is damaged, or of another version');
  }
  return new HttpProblem(500, 'internal error');
}

/** Whether an object of a store is wrong or gone: to open it again by its name may help, because it may have been replaced. */
export function mayBeReplaced(error: unknown): boolean {
  return error instanceof StorageError && (!isUnreachable(error) || isMissing(error));
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

/** Calls `read` on text of a client. A UserError, or any error of a user's game, is the client's fault. */
export function asked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof StorageError || error instanceof HttpProblem) throw error;
    if (error instanceof UntabledError) throw problemOf(error);
    throw new HttpProblem(400, oneLine(errorText(error)));
  }
}
