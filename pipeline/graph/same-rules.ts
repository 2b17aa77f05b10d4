/** Holds a solved keyed game against the rules that it is read by. */
import type { Store } from '../../operators/storage/store.js';
import { withRemedy } from '../contract/remedy.js';
import type { RulesSample } from '../formats/rules-sample.js';
import type { KeyedRules } from '../games/keyed/keyed-rules.js';
import { sampleKeyed } from '../games/sample-rules.js';
import { ChangedRulesError } from '../table/table-guard.js';

/** The part of a manifest or header that keeps the rules; files of earlier releases have none, and are taken as they are. */
interface Kept {
  readonly name: string;
  readonly rules?: RulesSample | undefined;
}

/** @throws ChangedRulesError if what was solved or published as `name` has other moves or results than the game has now. */
export function requireSameRules<Position>(
  game: KeyedRules<Position>,
  { name, rules }: Kept,
  { uri }: Pick<Store, 'uri'>,
): void {
  if (rules === undefined || rules.digest === sampleKeyed(game).digest) return;
  throw withRemedy(
    new ChangedRulesError(`the rules of ${game.name} are not those that ${name} was solved by in ${uri}`),
    { task: 'solve again', game: game.name },
  );
}
