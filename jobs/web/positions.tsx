/** Positions of an ending by query: a form, a list to click through, and files to take along. */
import { signal } from '@preact/signals';
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
import { useAsked } from './asked.js';
import { queryOf, resultsUnder, textsOf } from './browse/query-texts.js';
import type { Chosen } from './histogram.js';
import { positionOf } from './line.js';
import { download } from './share/download.js';
import type { App } from './stores/app.js';
import { brief, ends, wdlClass } from './value-words.js';
import { Button, Field, Form, Select, stepThrough } from './widgets.js';

/** What was found, and what was asked. */
type Listed = Pick<PositionsAnswer, 'positions' | 'more'> & { readonly query: PositionsQuery };

/** Positions that are listed at once. */
const LISTED = 100;
const FORMATS: readonly LineFormat[] = ['csv', 'epd', 'pgn'];

export function Positions({ app, of }: { readonly app: App; readonly of: Chosen }) {
  const { game, metric, ending } = of;
  const listed = useAsked<Listed>(app.notices.failed);
  const results = useRef<HTMLDivElement>(null);

  const found = (query: PositionsQuery, skip: number, limit: number, signal?: AbortSignal) =>
    app.source.positions({ game: game.name, metric, ending: ending.ending, query, skip, limit }, signal);

  async function find(query: PositionsQuery, isAsked: boolean): Promise<void> {
    const answer = await listed.ask(
      async (signal) => ({ ...(await found(query, 0, LISTED, signal)), query }),
      () => void find(query, isAsked),
    );
    if (answer === null) return;
    app.position.list({ ending: ending.ending, query });
    if (isAsked) results.current?.scrollIntoView({ block: 'start' });
  }

  const more = () => {
    const { query, positions } = listed.answer.peek()!;
    void listed.ask(async (signal) => {
      const answer = await found(query, positions.length, LISTED, signal);
      return { query, positions: [...positions, ...answer.positions], more: answer.more };
    });
  };

  const save = async (format: LineFormat) => {
    try {
      const answer = await found(listed.answer.peek()!.query, 0, MOST_POSITIONS);
      download(`${answer.ending}.${format}`, 'text/plain', await answerText(format, answer));
    } catch (error) {
      app.notices.failed(error as Error, () => void save(format));
    }
  };

  useEffect(() => {
    if (of.query !== null) void find(of.query, false);
  }, []);

  const shown = listed.answer.value;
  const formats = FORMATS.filter((each) => hasMates(ends(game.name)) || !isChessFormat(each));
  return (
    <section class="positions" aria-labelledby="positions-title" aria-busy={listed.busy}>
      <h3 id="positions-title">{`Positions of ${ending.ending}`}</h3>
      <QueryForm
        game={game}
        metric={metric}
        query={of.query ?? {}}
        asked={(wanted) => void find(wanted, true)}
        failed={app.notices.failed}
      />
      {/* Before the list: nobody should have to go through a hundred boards to save them. */}
      <div class="buttons results" ref={results}>
        <p class="count" role="status">
          {shown !== null && countWords(shown.positions.length, shown.more)}
        </p>
        {shown !== null && shown.positions.length > 0 && (
          <div class="buttons">
            {formats.map((each) => (
              <Button
                key={each}
                press={() => void save(each)}
                title={`Save as ${each.toUpperCase()}, up to ${whole(MOST_POSITIONS)} positions`}
              >
                {each.toUpperCase()}
              </Button>
            ))}
          </div>
        )}
      </div>
      {shown !== null && <FoundList app={app} game={game.name} metric={metric} positions={shown.positions} />}
      {shown?.more && <Button press={more}>More</Button>}
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
  const submit = ({ kind, ...fields }: Readonly<Record<string, string>>) => {
    try {
      asked({ ...queryOf(fields), ...(kind !== '' && { [kind]: true }) });
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
        <Select
          name="kind"
          chosen={texts.longest ? 'longest' : texts.zugzwang ? 'zugzwang' : ''}
          of={[
            ['', 'all positions'],
            ['longest', 'the longest only'],
            ['zugzwang', 'mutual zugzwangs'],
          ]}
        />
      </Field>
      <Field title="Result">
        <Select name="result" chosen={texts.result ?? ''} of={[['', 'any'], ...resultsOf(query, metric)]} />
      </Field>
      <Field title="To move">
        <Select
          name="side"
          chosen={texts.side ?? ''}
          of={[['', 'either'], ...colours.map((each) => [each, capital(each)] as const)]}
        />
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
  const now = app.position.shown.value;
  useEffect(() => {
    import('./share/picture.js').then((loaded) => {
      pictures.value = loaded;
    }, app.notices.failed);
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
