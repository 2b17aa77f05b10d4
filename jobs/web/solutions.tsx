/** The solutions of a problem as a tree: each move with the positions that solutions go on to. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { SolutionsAnswer } from '../positions/shapes.js';
import { numberBefore } from '../ui/numbered-moves.js';
import { count } from '../ui/numbers.js';
import { leaderOf } from '../ui/problem-notation.js';
import { numberText } from '../ui/verdict.js';
import { useAsked } from './asked.js';
import { positionOf } from './line.js';
import { type Branch, branchesOf } from './solution-tree.js';
import type { App } from './stores/app.js';
import { Button } from './widgets.js';

/** Solutions of one request. */
const LISTED = 50;

export function Solutions({ app }: { readonly app: App }) {
  const found = useAsked<SolutionsAnswer>(app.notices.failed);
  const limit = useSignal(LISTED);
  const now = app.position.shown.value;
  const metric = now?.metric;
  const hasNumbers = metric !== undefined && stipulations[metric].numbers;
  const most = limit.value;
  const isUnsure = now?.answer?.plies === null && now.answer.most !== undefined;

  useEffect(() => {
    if (!hasNumbers || !now?.answer || isUnsure) return found.clear();
    const position = positionOf(now.line);
    void found.ask((signal) => app.source.solutions(now.game.name, now.metric, position, most, signal));
  }, [now?.answer, most]);

  if (!hasNumbers) {
    const problems = now?.game.metrics.filter((each) => stipulations[each].numbers) ?? [];
    return (
      <p class="soft">
        {problems.length === 0
          ? 'There are no tables of helpmates or selfmates here.'
          : `Choose a stipulation as the metric: ${problems.join(', ')}.`}
      </p>
    );
  }
  const answer = found.answer.value;
  if (isUnsure)
    return (
      <p class="soft" role="status">
        No solution is sure.
      </p>
    );
  if (answer === null) return null;
  const { lines, more, mover, solutions = 0, known } = answer;
  const isLeaders = mover === (leaderOf(metric) === 0 ? 'white' : 'black');
  return (
    <section class="solutions" aria-label="Solutions">
      <p class="soft" role="status">
        {lines.length === 0
          ? 'No solution.'
          : `${numberText(solutions, metric, known !== undefined)}${more ? `; the first ${count(lines.length, 'line')}` : ''}`}
      </p>
      <Tree app={app} branches={branchesOf(lines)} turn={isLeaders ? 0 : 1} />
      {more && (
        <Button
          press={() => {
            limit.value *= 4;
          }}
        >
          More
        </Button>
      )}
    </section>
  );
}

interface TreeProps {
  readonly app: App;
  readonly branches: readonly Branch[];
  /** Moves of both sides before these branches, from the first one of move 1 on. */
  readonly turn: number;
}

/** Moves in a row stand in one line; a list of lines begins where solutions part. */
function Tree({ app, branches, turn }: TreeProps) {
  return (
    <ul>
      {branches.map((branch) => {
        const row: Branch[] = [branch];
        while (row[row.length - 1].next.length === 1) row.push(row[row.length - 1].next[0]);
        const { next } = row[row.length - 1];
        return (
          <li key={branch.move.move}>
            {row.map(({ move }, i) => (
              <Button key={move.position} press={() => void app.open({ position: move.position })}>
                {numberBefore(turn + i, i === 0, 'problem') + move.move}
              </Button>
            ))}
            {next.length > 1 && <Tree app={app} branches={next} turn={turn + row.length} />}
          </li>
        );
      })}
    </ul>
  );
}
