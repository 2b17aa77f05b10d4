/** Holds a solved keyed game against the rules that it is read by. */
import type { Store } from '../../operators/storage/store.js';
import { withRemedy } from '../game/remedy.js';
import type { RulesSample } from '../game/rules-sample.js';
import { samplerOf } from '../games/yours/examiner/sample-rules.js';
import type { KeyedRules } from '../games/yours/keyed/keyed-rules.js';
import { ChangedRulesError } from '../tables/table-guard.js';

/** The part of a manifest or header that keeps the rules; files of earlier releases have none, and are taken as they are. */
interface Kept {
  readonly name: string;
  readonly rules?: RulesSample | undefined;
}

/**
 * Compares the moves and results of a sample of positions.
 * @param isSameText the module is that of then: a quick sample is enough to notice that it reads its environment.
 * @throws ChangedRulesError if what was solved or published as `name` has other rules than the game has now.
 */
export function requireSameRules<Position>(
  game: KeyedRules<Position>,
  { name, rules }: Kept,
  { uri }: Pick<Store, 'uri'>,
  isSameText = false,
): void {
  if (rules === undefined || samplerOf(game).matches(rules, isSameText)) return;
  throw withRemedy(
    new ChangedRulesError(`the rules of ${game.name} are not those that ${name} was solved by in ${uri}`),
    { task: 'solve again', game: game.name },
  );
}
