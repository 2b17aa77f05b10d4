/** What is known of the shown position: its value, the half-move clock, its moves under every metric; and the moves that led to it. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { RULE_PLIES } from '../../pipeline/game/value.js';
import { endingWords } from '../ui/ending-words.js';
import { numberBefore } from '../ui/numbered-moves.js';
import { count } from '../ui/numbers.js';
import { capital, pliesText } from '../ui/verdict.js';
import { ManPicture } from './board/view.js';
import { drawReason, isInsufficient } from './drawn.js';
import type { LineStep, Shown } from './line.js';
import type { ShownMove, ShownPosition } from './source.js';
import type { App } from './stores/app.js';
import {
  brief,
  clockOf,
  endOf,
  isOpen,
  METRICS,
  metricWords,
  outcome,
  type Shade,
  shadeOf,
  verdictOf,
  wdlClass,
} from './value-words.js';
import { Button, Dialog, Icon, IconButton, Spoken, stepThrough } from './widgets.js';

/** The value of the shown position; screen readers announce every change. */
export function Verdict({ app }: { readonly app: App }) {
  const now = app.position.shown.value;
  if (now === null) return null;
  const { answer, problem } = now;
  const why = problem === null ? '' : capital(problem.message.replace(/^FEN ".*?": /, ''));
  const [kind, value, about] =
    answer !== null
      ? [wdlClass(shadeOf(answer, answer)), verdictOf(answer), aboutOf(answer)]
      : problem!.kind === 'unknown'
        ? ['unknown', 'Unknown', why]
        : ['illegal', why, ''];
  const badge = answer && badgeOf(answer);
  const reason = answer && drawReason(answer);
  return (
    <section class={`verdict ${kind}`} aria-label="Value of the position">
      <p class="value" role="status">
        {value}
      </p>
      <p class="soft about">
        {badge && <span class="badge">{badge}</span>}
        {about}
      </p>
      {reason && <p class="reason">{reason}</p>}
      <p class="note" role="status">
        {app.position.note}
      </p>
      <Plan app={app} />
    </section>
  );
}

/** The command that makes tables of a position alone, and what it takes. */
function Plan({ app }: { readonly app: App }) {
  const plan = app.position.plan.value;
  if (plan === null) return null;
  const { command, isWhole, forecast, unknown } = plan;
  const stops =
    unknown.length === 0
      ? ''
      : ` Values may be bounds: ${count(unknown.length, 'ending')} ${unknown.length === 1 ? 'is' : 'are'} unknown.`;
  return (
    <div class="plan">
      <p>
        {`Tables of this position alone${isWhole ? '' : ', with an early stop because too much can be reached'}:`}
      </p>
      <div class="command">
        <code>
          {command.split(' ').map((word) => (
            <>
              <span>{word}</span>{' '}
            </>
          ))}
        </code>
        <Button press={() => void app.notices.copy(command, 'Command')} title="Copy the command">
          Copy
        </Button>
      </div>
      <p class="soft">
        {forecast === null
          ? 'The forecast takes longer than a server does it: see mergemate plan.'
          : `Forecast: ${forecast}.`}
        {stops}
      </p>
    </div>
  );
}

/** "Queen against rook · KQKR · plies to mate" */
function aboutOf({ ending, game, metric }: ShownPosition): string {
  const all = [endingWords(game, ending), ending, metricWords(metric, game)];
  return all.filter(Boolean).join(' · ');
}

/** Why the game is over, or cannot be won any more. */
function badgeOf(answer: ShownPosition): string | null {
  if (answer.game !== 'chess') return null;
  const end = endOf(answer);
  if (end === 'lost') return 'checkmate';
  if (end === 'drawn') return 'stalemate';
  return isInsufficient(answer.position) ? 'insufficient material' : null;
}

/** The metrics to choose from, where there are several. */
export function Metrics({ app }: { readonly app: App }) {
  const now = app.position.shown.value;
  if (now === null || now.game.metrics.length < 2) return null;
  const { game, metric, answer } = now;
  return (
    <fieldset class="metrics" aria-label="Metric">
      {game.metrics.map((each) => (
        <Button
          key={each}
          title={capital(metricWords(each, game.name))}
          pressed={each === (answer?.metric ?? metric)}
          press={() => void app.open({ metric: each })}
        >
          {METRICS[each]}
        </Button>
      ))}
    </fieldset>
  );
}

/** From where on the 50-move rule makes a draw of the position, and a slider to set its clock. */
export function Clock({ app }: { readonly app: App }) {
  const moved = useSignal<number | null>(null);
  const dtz = app.position.dtz.value;
  if (dtz === null || dtz.wdl === 'draw' || dtz.isOver || dtz.most !== undefined) return null;
  // Problems do not know the rule.
  if (stipulations[app.position.shown.value!.answer!.metric].numbers) return null;
  const clock = moved.value ?? clockOf(dtz.position);
  const { wdl, plies, precise } = dtz;
  const result = wdl.endsWith('win') ? 'won' : 'lost';
  /** Until there it is certain; at the clock after it, it may be so where there may be one ply more. */
  const last = RULE_PLIES - plies! - (precise ? 0 : 1);
  const words =
    !precise && clock === last + 1
      ? `Not sure: ${result} while the clock is at most ${last}, and perhaps at ${clock}.`
      : last < 0
        ? 'A draw by the 50-move rule at any clock.'
        : clock > last
          ? `A draw by the 50-move rule: ${result} only while the clock is at most ${last}.`
          : `${capital(result)} while the clock is at most ${last}.`;
  const set = (count: number) => {
    moved.value = null;
    void app.open({ position: dtz.position.split(' ').with(4, String(count)).join(' ') }, 'replace');
  };
  return (
    <section class={`clock ${clock > last ? 'over' : ''}`} aria-label="The 50-move rule">
      <label for="clock" title="Plies since the last capture or move of a pawn">
        Half-move clock
      </label>
      <input
        type="range"
        id="clock"
        min={0}
        max={RULE_PLIES}
        value={clock}
        aria-valuetext={pliesText(clock)}
        onInput={({ currentTarget }) => {
          moved.value = Number(currentTarget.value);
        }}
        onChange={({ currentTarget }) => set(Number(currentTarget.value))}
      />
      <output for="clock">{clock}</output>
      <p class="soft words" role="status">
        {words}
      </p>
    </section>
  );
}

const UNSURE = ', if the 50-move rule leaves the time';
const TITLES: Partial<Readonly<Record<Shade, string>>> = {
  win: 'Winning',
  'maybe-win': `Winning${UNSURE}`,
  'cursed win': 'Winning but for the 50-move rule',
  draw: 'Drawing',
  'blessed loss': 'Losing but for the 50-move rule',
  'maybe-loss': `Losing${UNSURE}`,
  loss: 'Losing',
  'at least a draw': 'At least a draw',
  'at most a draw': 'At most a draw',
  unknown: 'Not known',
};

/** How good a value is for the player who has it. Values that the 50-move rule leaves in doubt have no rank, so nothing is claimed of them. */
const RANKS: Readonly<Record<string, number>> = {
  win: 4,
  'cursed win': 3,
  draw: 2,
  'blessed loss': 1,
  loss: 0,
  'at most a draw': 2,
};

/** The heading of a group of moves; and of moves worse than the position, what they give away. */
function titleOf(kind: Shade, answer: ShownPosition): readonly [title: string, away: string] {
  const { wdl, metric } = answer;
  if (stipulations[metric].numbers && kind !== 'unknown')
    return [kind === 'draw' ? 'No solution' : 'With solutions', ''];
  const before = isOpen(answer) || (wdl !== 'win' && wdl !== 'draw') ? null : wdl;
  // That a loss is worse need not be said.
  const isAway = before !== null && kind !== 'loss' && RANKS[kind] < RANKS[before];
  return [TITLES[kind] ?? kind, isAway ? ` (gives the ${before} away)` : ''];
}

/** Moves of a group that are alike under every metric, with their values. */
interface Row {
  readonly values: readonly { readonly metric: Metric; readonly text: string; readonly kind: string }[];
  readonly moves: ShownMove[];
}

/** Moves of a group, folded where all their values are alike. */
function rowsOf(
  moves: readonly ShownMove[],
  { answer, beside }: Pick<Shown, 'beside'> & { readonly answer: ShownPosition },
  unit: App['unit']['value'],
): Row[] {
  const rows: Row[] = [];
  for (const move of moves) {
    const values = [answer, ...beside.values()].map((position) => {
      const valued = position === answer ? move : position.moves.find(({ uci }) => uci === move.uci);
      const text = valued === undefined ? '' : brief(valued, unit, position);
      return { metric: position.metric, text, kind: valued ? wdlClass(shadeOf(valued, position)) : '' };
    });
    const alike = rows.find((row) => row.values.every(({ text }, i) => text === values[i].text));
    if (alike === undefined) rows.push({ values, moves: [move] });
    else alike.moves.push(move);
  }
  return rows;
}

/** Whether the heading of the group says all that there is to say of the moves. */
function isSaid({ values }: Row, kind: Shade): boolean {
  return values.every(({ text }) => text === kind || text === '');
}

/** Every legal move with its value, best first, and beside it the values of other metrics. */
export function Moves({ app }: { readonly app: App }) {
  const groups = useRef<HTMLDivElement>(null);
  const tab = useSignal<string | null>(null);
  const now = app.position.shown.value;
  const answer = now?.answer ?? null;
  const hadFocus = groups.current?.contains(document.activeElement) ?? false;
  const last = useRef(answer);
  useLayoutEffect(() => {
    if (last.current?.position === answer?.position) return;
    last.current = answer;
    tab.value = null;
    groups.current?.scrollTo(0, 0);
    if (hadFocus) groups.current?.querySelector('button')?.focus();
  });
  useLayoutEffect(() => {
    app.toMoves = () => groups.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, []);
  if (now === null || answer === null) return null;
  const { moves, metric, game } = answer;
  // Problems are another game: their values say nothing of who wins.
  const isAkin = ([each]: readonly [Metric, ShownPosition]) =>
    stipulations[each].numbers === stipulations[metric].numbers;
  const beside = new Map([...now.beside].filter(isAkin));
  const shown = { answer, beside };
  const kinds = [...new Set(moves.map((move) => shadeOf(move, answer)))];
  const metrics = [metric, ...beside.keys()];
  return (
    <section
      class={metrics.length > 1 ? 'moves sided' : 'moves'}
      style={{ '--metrics': metrics.length }}
      aria-label="Moves"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the keys. */}
      <div class="groups" ref={groups} onKeyDown={stepThrough}>
        <div class="columns">
          {kinds.map((kind) => {
            const some = moves.filter((move) => shadeOf(move, answer) === kind);
            const rows = rowsOf(some, shown, app.unit.value);
            const [title, away] = titleOf(kind, answer);
            const hasHeads = metrics.length > 1 && rows.some((row) => !isSaid(row, kind));
            return (
              <section key={kind} class={`group ${wdlClass(kind)}`} aria-label={title + away}>
                <div class="heads">
                  <h2>
                    {title}
                    {some.length > 1 && <span class="soft">, {some.length}</span>}
                    {away}
                  </h2>
                  {hasHeads &&
                    metrics.map((each) => (
                      <span key={each} title={metricWords(each, game)} aria-hidden="true">
                        {each}
                      </span>
                    ))}
                </div>
                {rows.map((row) => (
                  <MoveRow key={row.moves[0].uci} app={app} row={row} answer={answer} tab={tab} kind={kind} />
                ))}
              </section>
            );
          })}
          {moves.length === 0 && <p class="soft">No moves: the game is over.</p>}
        </div>
      </div>
    </section>
  );
}

interface RowProps {
  readonly app: App;
  readonly row: Row;
  readonly answer: ShownPosition;
  readonly kind: Shade;
  readonly tab: { value: string | null };
}

/** One move or several, and once the values that they share: none where the heading of the group has said it. */
function MoveRow({ app, row, answer, kind, tab }: RowProps) {
  const { moves, values } = row;
  return (
    <div class={moves.length > 1 ? 'row several' : 'row'}>
      <ul>
        {moves.map((move) => (
          <li key={move.position + move.uci}>
            <MoveButton app={app} move={move} answer={answer} tab={tab} values={values} />
          </li>
        ))}
      </ul>
      {!isSaid(row, kind) &&
        values.map(({ metric, text, kind }, i) => (
          <span
            key={metric}
            class={`${i === 0 ? 'main' : 'other'} ${kind}`}
            data-metric={metric}
            aria-hidden="true"
          >
            {text}
          </span>
        ))}
    </div>
  );
}

interface MoveProps extends Pick<RowProps, 'app' | 'answer' | 'tab'> {
  readonly move: ShownMove;
  readonly values: Row['values'];
}

function MoveButton({ app, move, answer, tab, values }: MoveProps) {
  const { metric, game, position } = answer;
  const point = () => app.board.point(move);
  const leave = () => app.board.point(null);
  const zeroes = game === 'chess' && clockOf(move.position) === 0;
  const marks = [
    zeroes && 'a capture or a move of a pawn: the half-move clock begins anew',
    move.conversion && 'leaves the ending',
  ];
  const words = [outcome(move, metric, game, clockOf(position)), ...marks.filter(Boolean)].join(', ');
  const isFirst = answer.moves[0] === move;
  return (
    <button
      type="button"
      class={`move ${wdlClass(shadeOf(move, answer))}`}
      title={words}
      tabIndex={(tab.value === null ? isFirst : tab.value === move.uci) ? 0 : -1}
      onClick={() => void app.play(move)}
      onPointerEnter={point}
      onPointerLeave={leave}
      onBlur={leave}
      onFocus={() => {
        tab.value = move.uci;
        point();
      }}
    >
      <span class="san">{move.san}</span>
      {(move.conversion || zeroes) && (
        <span class="leaves" aria-hidden="true">
          {move.conversion ? '↗' : '0'}
        </span>
      )}
      <Spoken>: </Spoken>
      {values.map(({ metric, text }, i) => (
        <span key={metric} class={i === 0 ? 'spoken value' : 'spoken'}>
          {i === 0 ? text : text && `, ${metric} ${text}`}
        </span>
      ))}
    </button>
  );
}

/** The moves that were made, and those that were taken back; a click goes there. */
export function Record({ app }: { readonly app: App }) {
  const list = useRef<HTMLOListElement>(null);
  const now = app.position.shown.value;
  // A list that was hidden behind a panel could not be scrolled.
  void app.layout.panel.value;
  useLayoutEffect(() => {
    const current = list.current?.querySelector('[aria-current]')?.parentElement;
    if (!current) return;
    // Within the list only, which its entries are placed by: the page stays where it is.
    list.current!.scrollTop = current.offsetTop - list.current!.clientHeight / 2;
  });
  if (now === null || now.line.steps.length === 0) return null;
  const { line, game } = now;
  const first = line.first === null ? 0 : Math.max(0, (game.colours as string[]).indexOf(line.first));
  return (
    <section class="record" aria-label="Moves made">
      <ol ref={list}>
        {[{ san: 'Start' }, ...line.steps].map(({ san }, at) => {
          // Moves are counted from the start of the line; the side that is named first in the game begins a number.
          const mark = at === 0 ? '' : numberBefore(at - 1 + first, at === 1, 'problem');
          return (
            <li key={at}>
              {mark && <span class="soft">{mark}</span>}
              <Button
                press={() => app.wind(at)}
                class={at > line.at ? 'quiet undone' : 'quiet'}
                current={at === line.at ? 'step' : undefined}
              >
                {san}
              </Button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The controls below the board: through the line; apart from these, what is done to the board. */
export function Toolbar({ app }: { readonly app: App }) {
  const now = app.position.shown.value;
  if (now === null) return null;
  const { line } = now;
  const playing = app.playing.value;
  const why = app.noLine.value;
  const hasBoard = app.board.made.value !== null;
  const [isBegun, isOpen] = [line.at > 0, line.at < line.steps.length];
  return (
    <div class="bar" role="toolbar" aria-label="Moves and board">
      <IconButton of="first" name="First" press={app.first} shortcut="Home" available={isBegun} />
      <IconButton of="back" name="Back" press={app.back} shortcut="ArrowLeft" available={isBegun} />
      <IconButton of="on" name="On" press={app.on} shortcut="ArrowRight" available={isOpen} />
      <IconButton of="last" name="Last" press={app.last} shortcut="End" available={isOpen} />
      <Button
        press={() => void app.playOut()}
        title={why ?? 'Play best moves of both sides to the end'}
        shortcut="m"
        class="main"
        available={why === null || playing}
      >
        <Icon of={playing ? 'stop' : 'play'} /> {playing ? 'Stop' : 'Play out'}
      </Button>
      <span class="space" />
      <IconButton
        of="edit"
        name="Set up"
        title="Put men on the board"
        press={app.switchSetup}
        shortcut="s"
        pressed={app.layout.settingUp.value}
        hidden={!hasBoard}
      />
      <IconButton of="flip" name="Flip" press={app.board.flip} shortcut="f" hidden={!hasBoard} />
      <IconButton of="share" name="Share" press={app.layout.show('share')} shortcut="c" />
    </div>
  );
}

/** Which of several moves between the same squares is meant: a promotion, one of several ways to capture. */
export function ChooseMove({ app }: { readonly app: App }) {
  const choosing = app.board.choosing.value;
  if (choosing === null) return null;
  const { moves, values, board, chosen } = choosing;
  // Best first would show what they are worth.
  const listed = values === null ? moves.toSorted((a, b) => (a.uci < b.uci ? -1 : 1)) : moves;
  const close = (move: LineStep | null) => {
    board.pointed.value = null;
    chosen(move);
  };
  return (
    <Dialog name="choose" title="Which move?" closed={() => close(null)}>
      {listed.map((move) => {
        const promoted = board.kind.promotion(move.uci);
        const valued = values?.moves.find(({ uci }) => uci === move.uci);
        const shade = valued ? shadeOf(valued, values!) : 'draw';
        const point = () => {
          board.pointed.value = { path: board.kind.path(move.uci), shade };
        };
        return (
          <button
            key={move.uci}
            type="button"
            class={`move ${wdlClass(shade)}`}
            onClick={() => close(move)}
            onFocus={point}
            onPointerEnter={point}
          >
            {promoted !== null && <ManPicture board={board} man={promoted} />}
            <span class="san">{move.san}</span>
            {valued && <Spoken>: </Spoken>}
            {valued && <span class="value">{brief(valued, 'plies', values!)}</span>}
          </button>
        );
      })}
      <Button press={() => close(null)}>Cancel</Button>
    </Dialog>
  );
}
