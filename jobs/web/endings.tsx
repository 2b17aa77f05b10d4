/** The endings that there are of a game, as a list to search; and what is known of the one that was chosen. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { PositionsQuery } from '../positions/query.js';
import type { EndingAnswer, FiledAnswer, GameAnswer, HistogramAnswer } from '../server/api-answers.js';
import { endingWords } from '../ui/ending-words.js';
import { percent, rough, whole } from '../ui/numbers.js';
import { capital, problemText } from '../ui/verdict.js';
import { useAsked } from './asked.js';
import { type Chosen, Histogram } from './histogram.js';
import { Positions } from './positions.js';
import type { App } from './stores/app.js';
import { Button, More, Select, Spoken } from './widgets.js';

/** An ending of tables, or one that Syzygy's files alone have: those hold no counts, so it is a position to begin with. */
interface Entry {
  readonly ending: string;
  readonly pieces: number;
  /** "Queen against rook"; its name, in games without such words. */
  readonly words: string;
  readonly tables: EndingAnswer | null;
  readonly example: string | null;
}

interface Loaded {
  readonly game: GameAnswer;
  readonly metric: Metric;
  readonly entries: readonly Entry[];
}

export function Endings({ app }: { readonly app: App }) {
  const loaded = useAsked<Loaded>(app.notices.failed);
  const chosen = useAsked<Chosen>(app.notices.failed);
  const isFirst = useRef(true);
  const now = app.position.shown.value;
  const game = now?.game;
  const metric = now?.metric;

  /** Shows what is known of an ending; without a query, its longest win is on the board. */
  async function describe(
    { game, metric }: Loaded,
    ending: EndingAnswer,
    query: PositionsQuery | null,
  ): Promise<void> {
    const found = await chosen.ask(
      async () => ({
        game,
        metric,
        ending,
        histogram: await app.source.histogram(game.name, metric, ending.ending),
        query,
      }),
      () => void describe({ game, metric, entries: [] }, ending, query),
    );
    if (found === null || query !== null) return;
    app.position.list(null);
    const position = longestIn(ending, found.histogram);
    if (position && (await app.open({ position })))
      app.notices.done(`The longest win of ${ending.ending} is on the board.`);
  }

  async function load(game: GameAnswer, metric: Metric): Promise<void> {
    // The address may ask for a list.
    const wanted = isFirst.current ? app.position.find.peek() : null;
    isFirst.current = false;
    if (wanted === null) app.position.list(null);
    chosen.clear();
    const all = await loaded.ask(
      async () => {
        const [endings, files] = await Promise.all([
          app.source.endings(game.name, metric),
          app.source.files(game.name, metric),
        ]);
        return { game, metric, entries: entriesOf(game.name, endings, files) };
      },
      () => void load(game, metric),
    );
    if (all === null || wanted === null) return;
    const found = all.entries.find(({ ending }) => ending === wanted.ending)?.tables;
    if (found) return describe(all, found, wanted.query);
    app.notices.failed(new Error(`There are no ${metric} tables of ${wanted.ending} here.`));
  }

  useEffect(() => {
    if (game !== undefined && metric !== undefined) void load(game, metric);
  }, [game, metric]);

  const all = loaded.answer.value;
  const one = chosen.answer.value;
  const busy = chosen.busy.value || loaded.busy.value;
  return (
    <section class="endings" aria-label="Endings" aria-busy={busy}>
      {one !== null ? (
        <>
          <Button
            class="quiet"
            press={() => {
              chosen.clear();
              app.position.list(null);
            }}
          >
            ← All endings
          </Button>
          <Histogram app={app} of={one} />
          <Positions key={one} app={app} of={one} />
        </>
      ) : all === null ? (
        <p class="soft">{busy ? 'Loading the endings…' : 'The endings could not be loaded.'}</p>
      ) : (
        <List
          app={app}
          all={all}
          open={({ tables, example }) =>
            tables ? void describe(all, tables, null) : void app.open({ position: example! })
          }
        />
      )}
    </section>
  );
}

/** Tables say more of an ending than files do. Endings that nobody wins teach nothing, and come last. */
function entriesOf(
  game: string,
  endings: readonly EndingAnswer[],
  files: readonly FiledAnswer[],
): readonly Entry[] {
  const tabled = new Set(endings.map(({ ending }) => ending));
  const entry = (ending: string, pieces: number) => ({
    ending,
    pieces,
    words: endingWords(game, ending) ?? ending,
  });
  const all = [
    ...endings.map((tables) => ({ ...entry(tables.ending, tables.pieces), tables, example: null })),
    ...files
      .filter(({ ending }) => !tabled.has(ending))
      .map(({ ending, pieces, example }) => ({ ...entry(ending, pieces), tables: null, example })),
  ];
  const isDull = ({ tables }: Entry) => Number(tables !== null && decided(tables) === 0);
  return all.sort((a, b) => isDull(a) - isDull(b) || a.pieces - b.pieces);
}

/** Positions that somebody wins, or problems that have a solution. */
function decided(ending: EndingAnswer): number {
  const counts =
    'solvable' in ending ? ending.solvable : [...ending.wins, ...ending.losses, ...ending.cursedWins];
  return counts.reduce((sum, count) => sum + count);
}

/** The position with the longest win or problem of either side, or cursed win where there is no other; undefined if there is none. */
function longestIn(ending: EndingAnswer, found: HistogramAnswer) {
  const longer = ([first, second]: ReturnType<typeof longestBySide>, of: HistogramAnswer['longest']) =>
    ((second ?? -1) > (first ?? -1) ? [...of].reverse() : of).find((each) => each !== null);
  const cursed =
    'longestCursedWin' in ending && 'longestCursed' in found
      ? longer(ending.longestCursedWin, found.longestCursed)
      : undefined;
  return longer(longestBySide(ending), found.longest) ?? cursed;
}

const longestBySide = (ending: EndingAnswer) => ('solvable' in ending ? ending.longest : ending.longestWin);
const longestOf = ({ tables }: Entry): number =>
  Math.max(-1, ...(tables === null ? [] : longestBySide(tables)).map(Number));

const ORDERS: Readonly<Record<string, (a: Entry, b: Entry) => number>> = {
  'smaller first': () => 0,
  'longest first': (a, b) => longestOf(b) - longestOf(a),
  'more positions first': (a, b) => (b.tables?.positions ?? 0) - (a.tables?.positions ?? 0),
  'by name': (a, b) => a.ending.localeCompare(b.ending, 'en', { numeric: true }),
};

/** Rows that are shown at first, and are added at a time. */
const SHOWN = 100;

interface ListProps {
  readonly app: App;
  readonly all: Loaded;
  readonly open: (entry: Entry) => void;
}

function List({ app, all: { game, metric, entries }, open }: ListProps) {
  const order = useSignal('smaller first');
  const most = useSignal(SHOWN);
  const found = searched(entries, app.search.value).toSorted(ORDERS[order.value]);
  if (entries.length === 0) return <p>{`There are no tables of ${game.name} for ${metric}.`}</p>;
  return (
    <>
      <div class="query">
        <input
          type="search"
          class="grow"
          placeholder={`Search ${entries.length === 1 ? 'the ending' : `${entries.length} endings`}: ${game.name === 'chess' ? 'rook and pawn, KQKR' : '1100'}`}
          aria-label="Search endings"
          value={app.search}
          onInput={({ currentTarget }) => {
            app.search.value = currentTarget.value;
          }}
        />
        <Select
          label="Order"
          changed={(chosen) => {
            order.value = chosen;
          }}
          of={Object.keys(ORDERS)}
        />
      </div>
      <p class="spoken" role="status">
        {`${found.length} endings`}
      </p>
      <ul class="list">
        {found.slice(0, most.value).map((entry) => (
          <li key={entry.ending}>
            <Row game={game} metric={metric} entry={entry} open={() => open(entry)} />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="soft">No ending here is called like that.</p>}
      <More shown={most} all={found.length} step={SHOWN} />
    </>
  );
}

const IGNORED = new Set(['and', 'against', 'versus', 'vs', 'v', 'a', 'the', 'with']);

/** The endings in whose words, or name, all words of the search begin; those that it names in full come first. */
function searched(entries: readonly Entry[], search: string): readonly Entry[] {
  const text = search.trim().toLowerCase();
  const wanted = text.split(/[\s-]+/).filter((word) => word !== '' && !IGNORED.has(word));
  const rank = ({ words }: Entry) => Number(!words.toLowerCase().startsWith(text));
  return entries
    .filter(({ words, ending }) => {
      const own = words.toLowerCase().split(/[\s,]+/);
      return wanted.every(
        (word) => ending.toLowerCase().includes(word) || own.some((each) => each.startsWith(word)),
      );
    })
    .sort((a, b) => rank(a) - rank(b));
}

/** Takes less room than the word. */
function Tick() {
  return (
    <>
      <span aria-hidden="true" title="verified">
        {' ✓'}
      </span>
      <Spoken>, verified</Spoken>
    </>
  );
}

interface RowProps {
  readonly game: GameAnswer;
  readonly metric: Metric;
  readonly entry: Entry;
  readonly open: () => void;
}

function Row({ game, metric, entry: { ending, words, tables, ...entry }, open }: RowProps) {
  const isProblem = stipulations[metric].numbers;
  const longest = longestOf({ ...entry, ending, words, tables });
  return (
    <Button press={open} class="ending" title={tables ? titleOf(game, tables) : undefined}>
      <span>
        {words}
        <span class="soft">
          {ending}
          {tables && ` · ${rough(tables.positions)} positions`}
          {tables?.verified && <Tick />}
        </span>
      </span>
      {tables && <Shares of={tables} />}
      {longest > 0 && (
        <span class="longest">
          <Spoken>longest </Spoken>
          {isProblem ? problemText({ plies: longest }, metric) : whole(longest)}
        </span>
      )}
    </Button>
  );
}

const SHARES = [
  ['win', 'wins', 'wins'],
  ['cursed-win', 'cursed wins', 'cursedWins'],
  ['draw', 'draws', 'draws'],
  ['blessed-loss', 'blessed losses', 'blessedLosses'],
  ['loss', 'losses', 'losses'],
] as const;

/** Of the side that is named first: how many positions it wins, draws and loses with the move. */
function sharesOf(of: EndingAnswer, side: 0 | 1) {
  const parts =
    'solvable' in of
      ? ([
          ['win', 'with a solution', of.solvable[side]],
          ['draw', 'without', of.unsolvable[side]],
        ] as const)
      : SHARES.map(([kind, words, key]) => [kind, words, of[key][side]] as const);
  const all = parts.reduce((sum, [, , count]) => sum + count, 0);
  return parts
    .filter(([, , count]) => count > 0)
    .map(([kind, words, count]) => ({ kind, words, count, all }));
}

function titleOf(game: GameAnswer, of: EndingAnswer): string {
  return game.colours
    .map((colour, side) => {
      const parts = sharesOf(of, side as 0 | 1);
      return `${capital(colour)} to move: ${parts.map(({ words, count, all }) => `${whole(count)} ${words} (${percent(count, all)})`).join(', ')}`;
    })
    .join('\n');
}

/** A bar for each side to move; people who listen hear the shares of the first. */
function Shares({ of }: { readonly of: EndingAnswer }) {
  return (
    <span class="shares">
      {([0, 1] as const).map((side) => (
        <span key={side} class="share" aria-hidden="true">
          {sharesOf(of, side).map(({ kind, count }) => (
            <i key={kind} class={kind} style={{ flexGrow: count }} />
          ))}
        </span>
      ))}
      <Spoken>
        {sharesOf(of, 0)
          .map(({ words, count, all }) => `${words} ${percent(count, all)}`)
          .join(', ')}
      </Spoken>
    </span>
  );
}
