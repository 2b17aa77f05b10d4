/** Positions of an ending by query: a form, a list to click through, and files to take along. */
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { answerText, MOST_POSITIONS } from '../positions/lines.js';
import { isChessFormat, type LineFormat } from '../positions/names.js';
import type { PositionsQuery } from '../positions/query.js';
import type { PositionRow, PositionsAnswer } from '../positions/shapes.js';
import { valueOfJson } from '../positions/value.js';
import type { GameAnswer } from '../server/api-answers.js';
import { count as counted, whole } from '../ui/numbers.js';
import { capital, hasMates, problemText, solutionWords } from '../ui/verdict.js';
import { queryOf, resultsUnder, textsOf } from './browse/query-texts.js';
import type { Chosen } from './histogram.js';
import { positionOf } from './line.js';
import { download } from './share/download.js';
import type { App } from './state.js';
import { brief, ends, wdlClass } from './value-words.js';
import { Button, Field, Form, Options, stepThrough } from './widgets.js';

/** Positions that are listed at once. */
const LISTED = 100;
const FORMATS: readonly LineFormat[] = ['csv', 'epd', 'pgn'];

export function Positions({ app, of }: { readonly app: App; readonly of: Chosen }) {
  const { game, metric, ending } = of;
  const query = useSignal<PositionsQuery>(of.query ?? {});
  /** Null: nothing is asked yet. */
  const listed = useSignal<Pick<PositionsAnswer, 'positions' | 'more'> | null>(null);
  const busy = useSignal(0);
  /** The number of the last question: answers to earlier ones come too late. */
  const number = useRef(0);

  const fetchFrom = (skip: number, limit: number) =>
    app.source.positions({
      game: game.name,
      metric,
      ending: ending.ending,
      query: query.peek(),
      skip,
      limit,
    });

  async function whileBusy(work: () => Promise<void>): Promise<void> {
    busy.value++;
    try {
      await work();
    } catch (error) {
      app.failed(error as Error, () => void whileBusy(work));
    } finally {
      busy.value--;
    }
  }

  const ask = (wanted: PositionsQuery) => {
    const mine = ++number.current;
    query.value = wanted;
    return whileBusy(async () => {
      const answer = await fetchFrom(0, LISTED);
      if (mine !== number.current) return;
      listed.value = answer;
      app.list({ ending: ending.ending, query: wanted });
    });
  };

  const more = () => {
    const mine = number.current;
    const before = listed.peek()!.positions;
    return whileBusy(async () => {
      const answer = await fetchFrom(before.length, LISTED);
      if (mine === number.current)
        listed.value = { positions: [...before, ...answer.positions], more: answer.more };
    });
  };

  const save = (format: LineFormat) =>
    whileBusy(async () => {
      const answer = await fetchFrom(0, MOST_POSITIONS);
      download(`${answer.ending}.${format}`, 'text/plain', await answerText(format, answer));
    });

  useEffect(() => {
    if (of.query !== null) void ask(of.query);
    // An answer that comes when the list is gone must not put it into the address.
    return () => {
      number.current++;
    };
  }, []);

  const found = listed.value;
  const formats = FORMATS.filter((each) => hasMates(ends(game.name)) || !isChessFormat(each));
  return (
    <section
      class="positions"
      aria-labelledby="positions-title"
      aria-busy={busy.value > 0 ? 'true' : undefined}
    >
      <h3 id="positions-title">{`Positions of ${ending.ending}`}</h3>
      <QueryForm
        game={game}
        metric={metric}
        query={of.query ?? {}}
        asked={(wanted) => void ask(wanted)}
        failed={(error) => app.failed(error)}
      />
      <p class="soft" role="status">
        {found !== null && countWords(found.positions.length, found.more)}
      </p>
      {found !== null && <FoundList app={app} game={game.name} metric={metric} positions={found.positions} />}
      {found?.more && <Button press={() => void more()}>More</Button>}
      {found !== null && found.positions.length > 0 && (
        <div class="buttons files">
          <span class="soft">Save as</span>
          {formats.map((each) => (
            <Button key={each} press={() => void save(each)}>
              {each.toUpperCase()}
            </Button>
          ))}
          <span class="soft">{`${whole(MOST_POSITIONS)} at most`}</span>
        </div>
      )}
    </section>
  );
}

function countWords(count: number, isMore: boolean): string {
  if (count === 0) return 'No position is like that.';
  return `${isMore ? 'The first ' : ''}${counted(count, 'position')}`;
}

interface QueryProps {
  readonly game: GameAnswer;
  readonly metric: Metric;
  /** The fields begin with it. */
  readonly query: PositionsQuery;
  readonly asked: (query: PositionsQuery) => void;
  readonly failed: (error: Error) => void;
}

/** The results to choose from: also one that a link asks for and no value of the metric can be, so that the form shows what is asked. */
function resultsOf({ result }: PositionsQuery, metric: Metric): readonly string[] {
  const results: readonly string[] = resultsUnder(metric);
  return result === undefined || results.includes(result) ? results : [...results, result];
}

function QueryForm({ game: { name, colours }, metric, query, asked, failed }: QueryProps) {
  const texts = textsOf(query);
  const isChess = name === 'chess';
  const hasNumbers = stipulations[metric].numbers;
  const submit = ({ kind, result, side, plies, solutions, on }: Readonly<Record<string, string>>) => {
    try {
      asked({
        ...queryOf({
          result,
          side,
          plies: plies.trim(),
          solutions: (solutions ?? '').trim(),
          on: (on ?? '').trim(),
        }),
        ...(kind !== '' && { [kind]: true }),
      });
    } catch {
      failed(
        new Error(
          `Plies${hasNumbers ? ' and solutions' : ''} are a number such as 19, or a range such as 10..19.`,
        ),
      );
    }
  };
  return (
    <Form class="query" submitted={submit}>
      <Field title="Which">
        <select name="kind">
          <Options
            chosen={texts.longest ? 'longest' : texts.zugzwang ? 'zugzwang' : ''}
            of={[
              ['', 'all positions'],
              ['longest', 'the longest only'],
              ['zugzwang', 'mutual zugzwangs'],
            ]}
          />
        </select>
      </Field>
      <Field title="Result">
        <select name="result">
          <Options chosen={texts.result ?? ''} of={[['', 'any'], ...resultsOf(query, metric)]} />
        </select>
      </Field>
      <Field title="To move">
        <select name="side">
          <Options
            chosen={texts.side ?? ''}
            of={[['', 'either'], ...colours.map((each) => [each, capital(each)] as const)]}
          />
        </select>
      </Field>
      <Field title="Plies">
        <input
          name="plies"
          placeholder="19 or 10..19"
          autocomplete="off"
          size={9}
          defaultValue={texts.plies ?? ''}
        />
      </Field>
      {hasNumbers && (
        <Field title={capital(solutionWords(metric)[1])}>
          <input
            name="solutions"
            placeholder="1 or 2..5"
            autocomplete="off"
            size={9}
            defaultValue={texts.solutions ?? ''}
          />
        </Field>
      )}
      {(isChess || name === 'checkers') && (
        <Field title="Men on">
          <input
            name="on"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            size={9}
            title={isChess ? 'Men on squares, files or ranks: Kg1 pa R8' : 'Pieces on squares: W18 BK3'}
            placeholder={isChess ? 'Kg1 pa' : 'W18 BK3'}
            defaultValue={texts.on ?? ''}
          />
        </Field>
      )}
      <button type="submit" class="main">
        Find
      </button>
    </Form>
  );
}

interface FoundProps {
  readonly app: App;
  readonly game: string;
  readonly metric: Metric;
  readonly positions: readonly PositionRow[];
}

/** What draws small boards; loaded with the first list of positions. */
const pictures = signal<typeof import('./share/picture.js') | null>(null);

/** A position as a small board; as text for games without pictures. */
function SmallBoard({ game, position }: { readonly game: string; readonly position: string }) {
  const [text] = position.split(' ');
  const picture = pictures.value?.pictureOf(game, position) ?? null;
  if (picture === null) return <span class="text">{text}</span>;
  return (
    <img
      alt={text}
      src={pictures.value!.addressOf(picture)}
      width={120}
      height={120}
      loading="lazy"
      decoding="async"
    />
  );
}

/** Positions that were found, to be clicked through: by pointer, or with the arrow keys. */
function FoundList({ app, game, metric, positions }: FoundProps) {
  const now = app.shown.value;
  useEffect(() => {
    import('./share/picture.js').then(
      (loaded) => {
        pictures.value = loaded;
      },
      (error: Error) => app.failed(error),
    );
  }, []);
  const onBoard = now === null ? '' : positionOf(now.line);
  return (
    <ol class="found" onKeyDown={(event) => stepThrough(event)?.click()}>
      {positions.map(({ position, mover, zugzwang, ...row }) => (
        <li key={position}>
          <button
            type="button"
            class={`position-link ${wdlClass(valueOfJson(row).wdl)}`}
            data-position={position}
            aria-current={position === onBoard ? 'true' : undefined}
            title={position}
            onClick={() => void app.open({ position })}
          >
            <SmallBoard game={game} position={position} />
            <span class="soft">{capital(mover)}</span>
            {zugzwang !== undefined && <span class="soft">{zugzwang}</span>}
            <span class="value">
              {stipulations[metric].numbers ? problemText(valueOfJson(row), metric) : brief(valueOfJson(row))}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
