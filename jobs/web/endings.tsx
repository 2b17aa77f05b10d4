/** The endings that there are of a game, and what is known of the one that was chosen. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { PositionsQuery } from '../positions/query.js';
import type { EndingAnswer, FiledAnswer, GameAnswer, HistogramAnswer } from '../server/api-answers.js';
import { endingWords } from '../ui/ending-words.js';
import { percent, whole } from '../ui/numbers.js';
import { capital, problemText } from '../ui/verdict.js';
import { type Chosen, Histogram } from './histogram.js';
import { Positions } from './positions.js';
import type { App } from './state.js';
import { Button, Options } from './widgets.js';

interface Loaded {
  readonly game: GameAnswer;
  readonly metric: Metric;
  readonly endings: readonly EndingAnswer[];
  readonly files: readonly FiledAnswer[];
}

const COUNTED =
  'Positions are counted with either side to move, symmetric ones once. Press an ending for its longest win or problem, positions by plies, and its positions by query; plies are moves of one side.';

export function Endings({ app }: { readonly app: App }) {
  const loaded = useSignal<Loaded | string>('Loading the endings…');
  const chosen = useSignal<Chosen | null>(null);
  const busy = useSignal(false);
  const isFirst = useRef(true);
  /** The number of the ending that was pressed last: answers about earlier ones come too late. */
  const pressed = useRef(0);
  const now = app.shown.value;
  const game = now?.game;
  const metric = now?.metric;

  /** Shows what is known of an ending. */
  async function describe(of: Loaded, ending: EndingAnswer, query: PositionsQuery | null): Promise<void> {
    const { game, metric } = of;
    const mine = ++pressed.current;
    busy.value = true;
    try {
      const histogram = await app.source.histogram(game.name, metric, ending.ending);
      if (mine !== pressed.current) return;
      chosen.value = { game, metric, ending, histogram, query };
      if (query !== null) return;
      app.list(null);
      const position = longestIn(ending, histogram);
      if (position && (await app.open({ position })))
        app.done(`The longest win of ${ending.ending} is on the board.`);
    } catch (error) {
      if (mine === pressed.current) app.failed(error as Error, () => void describe(of, ending, query));
    } finally {
      if (mine === pressed.current) busy.value = false;
    }
  }

  useEffect(() => {
    if (game === undefined || metric === undefined) return;
    let isWanted = true;
    // The address may ask for a list.
    const wanted = isFirst.current ? app.find.peek() : null;
    isFirst.current = false;
    const load = async (): Promise<void> => {
      if (wanted === null) app.list(null);
      chosen.value = null;
      loaded.value = 'Loading the endings…';
      try {
        const [endings, filed] = await Promise.all([
          app.source.endings(game.name, metric),
          app.source.files(game.name, metric),
        ]);
        if (!isWanted) return;
        // Tables say more of an ending than files do.
        const files = filed.filter((file) => endings.every(({ ending }) => ending !== file.ending));
        const all = { game, metric, endings, files };
        loaded.value = all;
        if (wanted === null) return;
        const ending = endings.find((each) => each.ending === wanted.ending);
        if (ending !== undefined) return void describe(all, ending, wanted.query);
        app.failed(new Error(`There are no ${metric} tables of ${wanted.ending} here.`));
      } catch (error) {
        if (!isWanted) return;
        loaded.value = 'The endings could not be loaded.';
        app.failed(error as Error, () => void load());
      }
    };
    void load();
    return () => {
      isWanted = false;
      pressed.current++;
      busy.value = false;
    };
  }, [game, metric]);

  const all = loaded.value;
  return (
    <section class={`endings ${busy.value ? 'busy' : ''}`} aria-labelledby="endings-title">
      <h2 id="endings-title">Endings</h2>
      {typeof all !== 'string' && all.endings.length > 0 && <p class="soft">{COUNTED}</p>}
      <div class="columns">
        <div>
          {typeof all === 'string' ? (
            <p class="soft">{all}</p>
          ) : (
            <>
              {all.endings.length > 0 && (
                <Table
                  game={all.game}
                  metric={all.metric}
                  endings={all.endings}
                  chosen={chosen.value?.ending}
                  open={(ending) => void describe(all, ending, null)}
                />
              )}
              {all.files.length > 0 && <Files app={app} files={all.files} />}
              {all.endings.length + all.files.length === 0 && (
                <p>{`There are no tables of ${all.game.name} for ${all.metric}.`}</p>
              )}
            </>
          )}
        </div>
        {chosen.value !== null && <Histogram app={app} of={chosen.value} />}
        {chosen.value !== null && <Positions key={chosen.value} app={app} of={chosen.value} />}
      </div>
    </section>
  );
}

/** The position with the longest win of either side, or cursed win where there is no other; undefined if nobody wins. */
function longestIn({ longestWin, longestCursedWin }: EndingAnswer, found: HistogramAnswer) {
  const longer = ([first, second]: EndingAnswer['longestWin'], of: HistogramAnswer['longest']) =>
    ((second ?? -1) > (first ?? -1) ? [...of].reverse() : of).find((each) => each !== null);
  return longer(longestWin, found.longest) ?? longer(longestCursedWin, found.longestCursed);
}

type Side = 0 | 1;

interface Column {
  readonly title: string;
  /** Its place in the order of the column. */
  readonly rank: (ending: EndingAnswer) => number | string;
  readonly cell?: (ending: EndingAnswer) => preact.ComponentChildren;
  readonly class?: string;
}

/** More endings than this can be filtered by name. */
const MANY = 12;

interface TableProps {
  readonly game: GameAnswer;
  readonly metric: Metric;
  readonly endings: readonly EndingAnswer[];
  readonly chosen: EndingAnswer | undefined;
  readonly open: (ending: EndingAnswer) => void;
}

/** The endings with their results and longest wins; any column orders them. */
function Table({ game, metric, endings, chosen, open }: TableProps) {
  const by = useSignal(1);
  const down = useSignal(false);
  const name = useSignal('');
  const men = useSignal('');
  const columns = columnsOf(game, metric, open);
  const { rank } = columns[by.value];
  const sign = down.value ? -1 : 1;
  const wanted = name.value.trim().toLowerCase();
  const counts = [...new Set(endings.map(({ pieces }) => pieces))].sort((a, b) => a - b);
  const listed = endings
    .filter(
      ({ ending, pieces }) =>
        `${ending} ${endingWords(game.name, ending) ?? ''}`.toLowerCase().includes(wanted) &&
        (men.value === '' || pieces === Number(men.value)),
    )
    .sort((a, b) => sign * compare(rank(a), rank(b)));
  const order = (i: number) => {
    down.value = by.value === i ? !down.value : i > 1;
    by.value = i;
  };
  return (
    <div>
      {endings.length > MANY && (
        <div class="buttons pick">
          <input
            type="search"
            placeholder="Filter by name"
            aria-label="Show endings whose names contain this: KQKR, rook, queen against"
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
          <select
            aria-label="Show endings of so many men"
            onChange={({ currentTarget }) => {
              men.value = currentTarget.value;
            }}
          >
            <Options
              of={[
                ['', 'any number of men'],
                ...counts.map((count) => [String(count), `${count} men`] as const),
              ]}
            />
          </select>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it. */}
      <section class="scroll" tabIndex={0} aria-label="Table of endings">
        <table>
          <thead>
            <tr>
              {columns.map(({ title, class: look }, i) => (
                <th
                  key={title}
                  scope="col"
                  class={look}
                  aria-sort={i === by.value ? (down.value ? 'descending' : 'ascending') : undefined}
                >
                  <Button press={() => order(i)}>{title}</Button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.map((ending) => (
              <tr key={ending.ending} class={ending === chosen ? 'chosen' : ''}>
                {columns.map(({ title, rank, cell = rank, class: look }, i) =>
                  i === 0 ? (
                    <th key={title} scope="row">
                      {cell(ending)}
                    </th>
                  ) : (
                    <td key={title} class={look}>
                      {cell(ending)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function columnsOf(game: GameAnswer, metric: Metric, open: (ending: EndingAnswer) => void): Column[] {
  const sides = [0, 1] as const;
  const isProblem = stipulations[metric].numbers;
  const solved = ({ wins, losses }: EndingAnswer, side: Side) => wins[side] + losses[side];
  return [
    {
      title: 'Ending',
      rank: ({ ending }) => ending,
      cell: (ending) => (
        <>
          <Button class="link" press={() => open(ending)}>
            {ending.ending}
          </Button>
          <EndingWords game={game.name} ending={ending.ending} />
        </>
      ),
    },
    { title: 'Pieces', rank: ({ pieces }) => pieces, class: 'wide' },
    { title: 'Positions', rank: ({ positions }) => positions, cell: ({ positions }) => whole(positions) },
    ...sides.map(
      (side): Column => ({
        title: `${capital(game.colours[side])} to move`,
        rank: (ending) =>
          (isProblem ? solved(ending, side) : ending.wins[side] + drawnOf(ending, side) / 2) /
          Math.max(1, total(ending, side)),
        cell: (ending) => <Shares of={ending} side={side} isProblem={isProblem} />,
        class: 'shared',
      }),
    ),
    ...sides.map(
      (side): Column => ({
        title: isProblem
          ? `${capital(game.colours[side])}: longest`
          : `${capital(game.colours[side])} wins in`,
        rank: ({ longestWin }) => longestWin[side] ?? -1,
        cell: ({ longestWin: { [side]: plies } }) =>
          plies === null ? '–' : isProblem ? problemText({ plies }, metric) : whole(plies),
      }),
    ),
    {
      title: 'Verified',
      rank: ({ verified }) => Number(verified),
      cell: ({ verified }) => (verified ? 'yes' : 'no'),
      class: 'wide',
    },
  ];
}

/** The words for an ending, below its name. */
function EndingWords({ game, ending }: { readonly game: string; readonly ending: string }) {
  const words = endingWords(game, ending);
  return words === null ? null : <span class="words soft">{words}</span>;
}

function compare(a: number | string, b: number | string): number {
  return typeof a === 'string' ? a.localeCompare(String(b), 'en', { numeric: true }) : a - Number(b);
}

/** With those that the 50-move rule makes draws. */
function drawnOf({ draws, cursedWins, blessedLosses }: EndingAnswer, side: Side): number {
  return draws[side] + cursedWins[side] + blessedLosses[side];
}

function total(ending: EndingAnswer, side: Side): number {
  return ending.wins[side] + drawnOf(ending, side) + ending.losses[side];
}

/** A bar, and the same in figures. */
function Shares({
  of,
  side,
  isProblem,
}: {
  readonly of: EndingAnswer;
  readonly side: Side;
  readonly isProblem: boolean;
}) {
  const all = total(of, side);
  const solved = of.wins[side] + of.losses[side];
  const parts = (
    isProblem
      ? ([
          ['win', 'with a solution', solved],
          ['draw', 'no solution', of.draws[side]],
        ] as const)
      : ([
          ['win', 'wins', of.wins[side]],
          ['cursed-win', 'cursed wins', of.cursedWins[side]],
          ['draw', 'draws', of.draws[side]],
          ['blessed-loss', 'blessed losses', of.blessedLosses[side]],
          ['loss', 'losses', of.losses[side]],
        ] as const)
  ).filter(([, , count]) => count > 0);
  return (
    <div class="shares" title={parts.map(([, words, count]) => `${whole(count)} ${words}`).join(', ')}>
      <span class="bar" aria-hidden="true">
        {parts.map(([kind, , count]) => (
          <i key={kind} class={kind} style={{ flexGrow: count / all }} />
        ))}
      </span>
      {parts.map(([kind, words, count]) => (
        <span key={kind} class={`share ${kind}`}>
          {`${words} `}
          <span>{percent(count, all)}</span>
        </span>
      ))}
    </div>
  );
}

/** If there are more endings than this, only those with the fewest men are open. */
const OPEN = 40;

/** The endings that Syzygy's files have, those of fewer men first: files hold no counts, so each is a position to begin with. */
function Files({ app, files }: { readonly app: App; readonly files: readonly FiledAnswer[] }) {
  const counts = [...new Set(files.map(({ pieces }) => pieces))];
  return (
    <section class="files" aria-labelledby="files-title">
      <h3 id="files-title">From Syzygy's files</h3>
      <p class="soft">
        Press an ending for a position of it. Counts, histograms and lists of positions need tables of its
        own.
      </p>
      {counts.map((count) => {
        const some = files.filter(({ pieces }) => pieces === count);
        return (
          <details key={count} open={files.length <= OPEN || count === counts[0]}>
            <summary>{`${count} men: ${some.length}`}</summary>
            <ul>
              {some.map(({ ending, example }) => (
                <li key={ending}>
                  <Button
                    class="link"
                    title={endingWords('chess', ending) ?? undefined}
                    press={() => void app.open({ position: example })}
                  >
                    {ending}
                  </Button>
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </section>
  );
}
