/** What is known of the shown position: its value, the half-move clock, its moves under every metric; and the moves that led to it. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { RULE_PLIES } from '../../pipeline/game/value.js';
import { endingWords } from '../ui/ending-words.js';
import { count } from '../ui/numbers.js';
import { capital, pliesText } from '../ui/verdict.js';
import { drawReason, isInsufficient } from './drawn.js';
import type { Beside, LineStep } from './line.js';
import type { ShownMove, ShownPosition } from './source.js';
import type { App } from './state.js';
import {
  brief,
  clockOf,
  endOf,
  isOpen,
  metricWords,
  outcome,
  type Shade,
  shadeOf,
  type Unit,
  verdictOf,
  wdlClass,
} from './value-words.js';
import { Button, Dialog, Form, Spoken, stepThrough } from './widgets.js';

/** The value of the shown position; screen readers announce every change. */
export function Verdict({ app }: { readonly app: App }) {
  const now = app.shown.value;
  if (now === null) return null;
  const { answer, problem } = now;
  const why = problem === null ? '' : capital(problem.message.replace(/^FEN ".*?": /, ''));
  const [kind, value, about] =
    answer !== null
      ? [wdlClass(shadeOf(answer, answer)), verdictOf(answer), aboutOf(answer)]
      : problem!.kind === 'unknown'
        ? ['unknown', 'Unknown', why]
        : ['illegal', why, ''];
  const badge = answer === null ? null : badgeOf(answer);
  const reason = answer === null ? null : drawReason(answer);
  return (
    <section class={`verdict ${kind}`} aria-label="Value of the position">
      <p class="value" role="status">
        {value}
      </p>
      <p class="soft">
        {badge !== null && <span class="badge">{badge}</span>}
        {about}
      </p>
      {reason !== null && <p class="reason">{reason}</p>}
      <p class="note" role="status">
        {app.note.value}
      </p>
      <Plan app={app} />
    </section>
  );
}

/** The command that makes tables of a position alone, and what it takes. */
function Plan({ app }: { readonly app: App }) {
  const plan = app.plan.value;
  if (plan === null) return null;
  const { command, isWhole, forecast, unknown } = plan;
  const stops =
    unknown.length === 0
      ? ''
      : ` Values may be bounds: ${count(unknown.length, 'ending')} ${unknown.length === 1 ? 'is' : 'are'} unknown.`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      app.done('Command copied.');
    } catch {
      app.failed(new Error('The browser does not let this page copy: take the text from the page itself.'));
    }
  };
  return (
    <div class="plan">
      <p>
        {isWhole
          ? 'Tables of this position alone:'
          : 'Tables of this position alone, with an early stop because too much can be reached:'}
      </p>
      <div class="command">
        <code>
          {command.split(' ').map((word) => (
            <>
              <span>{word}</span>{' '}
            </>
          ))}
        </code>
        <Button press={() => void copy()} title="Copy the command">
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

/** "KQKR, queen against rook · plies to mate" */
function aboutOf({ ending, game, metric }: ShownPosition): string {
  const words = endingWords(game, ending);
  const name = words === null ? ending : `${ending}, ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  return `${name} · ${metricWords(metric, game)}`;
}

/** Why the game is over, or cannot be won any more. */
function badgeOf(answer: ShownPosition): string | null {
  if (answer.game !== 'chess') return null;
  const end = endOf(answer);
  if (end === 'lost') return 'checkmate';
  if (end === 'drawn') return 'stalemate';
  return isInsufficient(answer.position) ? 'insufficient material' : null;
}

/** From where on the 50-move rule makes a draw of the position, and a slider to set its clock. */
export function Clock({ app }: { readonly app: App }) {
  const moved = useSignal<number | null>(null);
  const dtz = app.dtz.value;
  if (!dtz || dtz.wdl === 'draw' || dtz.isOver || dtz.most !== undefined) return null;
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
      <p class="words" role="status">
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

/** The heading of a group of moves; after moves worse than the position, also what they give away. */
function titleOf(kind: Shade, answer: ShownPosition): string {
  const { wdl, metric } = answer;
  if (stipulations[metric].numbers && kind !== 'unknown')
    return kind === 'draw' ? 'No solution' : 'With solutions';
  const title = TITLES[kind] ?? kind;
  const before = isOpen(answer) || (wdl !== 'win' && wdl !== 'draw') ? null : wdl;
  return before !== null && RANKS[kind] < RANKS[before] ? `${title} (gives the ${before} away)` : title;
}

/** Every legal move with its value, best first, and beside it the values of other metrics. */
export function Moves({ app }: { readonly app: App }) {
  const groups = useRef<HTMLDivElement>(null);
  const tab = useSignal(0);
  const answer = app.shown.value?.answer ?? null;
  const hadFocus = groups.current?.contains(document.activeElement) ?? false;
  const last = useRef(answer);
  useLayoutEffect(() => {
    if (last.current === answer) return;
    last.current = answer;
    tab.value = 0;
    if (hadFocus) groups.current?.querySelector('button')?.focus();
  });
  if (answer === null) return null;
  const { moves, metric, game } = answer;
  const beside = app.beside.value;
  const kinds = [...new Set(moves.map((move) => shadeOf(move, answer)))];
  return (
    <section
      class={beside.size > 0 && moves.length > 0 ? 'moves sided' : 'moves'}
      aria-labelledby="moves-title"
    >
      <div class="title">
        <h2 id="moves-title">
          Moves <span class="soft">{moves.length || ''}</span>
        </h2>
        <Units app={app} />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the keys. */}
      <div class="groups" ref={groups} onKeyDown={stepThrough}>
        {/* The headings scroll with the values, so that a scroll bar cannot move one without the other. */}
        <div class="heads" aria-hidden="true">
          {[metric, ...beside.keys()].map((each) => (
            <span key={each} title={metricWords(each, game)}>
              {each}
            </span>
          ))}
        </div>
        {kinds.map((kind) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
          <div key={kind} role="group" aria-label={titleOf(kind, answer)}>
            <h3 class={wdlClass(kind)}>{titleOf(kind, answer)}</h3>
            <ul>
              {moves.map(
                (move, i) =>
                  shadeOf(move, answer) === kind && (
                    <li key={move.position + move.uci}>
                      <MoveButton
                        app={app}
                        move={move}
                        answer={answer}
                        beside={beside}
                        unit={app.unit.value}
                        tabIndex={i === tab.value ? 0 : -1}
                        focused={() => {
                          tab.value = i;
                        }}
                      />
                    </li>
                  ),
              )}
            </ul>
          </div>
        ))}
        {moves.length === 0 && <p class="soft">None: the game is over.</p>}
      </div>
    </section>
  );
}

function Units({ app }: { readonly app: App }) {
  return (
    <div class="units" role="radiogroup" aria-label="Distances">
      {(['plies', 'moves'] as const).map((each) => (
        <label key={each} title={each === 'plies' ? 'Moves of one side' : 'Moves of both sides'}>
          <input
            type="radio"
            name="unit"
            checked={each === app.unit.value}
            onChange={() => {
              app.unit.value = each;
            }}
          />
          {` in ${each}`}
        </label>
      ))}
    </div>
  );
}

interface MoveProps {
  readonly app: App;
  readonly move: ShownMove;
  readonly answer: ShownPosition;
  readonly beside: Beside;
  readonly unit: Unit;
  readonly tabIndex: number;
  readonly focused: () => void;
}

function MoveButton({ app, move, answer, beside, unit, tabIndex, focused }: MoveProps) {
  const { metric, game, position } = answer;
  const point = () => app.board.point(move);
  const leave = () => app.board.point(null);
  const zeroes = game === 'chess' && clockOf(move.position) === 0;
  const marks = [
    zeroes && 'a capture or a move of a pawn: the half-move clock begins anew',
    move.conversion && 'leaves the ending',
  ];
  const words = [outcome(move, metric, game, clockOf(position)), ...marks.filter(Boolean)].join(', ');
  return (
    <button
      type="button"
      class={`move ${wdlClass(shadeOf(move, answer))}`}
      title={words}
      tabIndex={tabIndex}
      onClick={() => void app.play(move)}
      onPointerEnter={point}
      onPointerLeave={leave}
      onBlur={leave}
      onFocus={() => {
        focused();
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
      <span class="value">{brief(move, unit, answer)}</span>
      {[...beside].map(([other, values]) => (
        <BesideCell key={other} metric={other} values={values} uci={move.uci} unit={unit} />
      ))}
    </button>
  );
}

interface BesideProps {
  readonly metric: Metric;
  readonly values: ShownPosition;
  readonly uci: string;
  readonly unit: Unit;
}

/** A move's value under a metric, for the metric's column, and the same for people who listen. */
function BesideCell({ metric, values, uci, unit }: BesideProps) {
  const move = values.moves.find((each) => each.uci === uci);
  return (
    <span class="beside">
      <Spoken>, {metric} </Spoken>
      <span class={`other ${move ? wdlClass(shadeOf(move, values)) : ''}`} data-metric={metric}>
        {move && brief(move, unit, values)}
      </span>
    </span>
  );
}

/** The moves that were made, and those that were taken back; a click goes there. */
export function Record({ app }: { readonly app: App }) {
  const list = useRef<HTMLOListElement>(null);
  const now = app.shown.value;
  useLayoutEffect(() => {
    const current = list.current?.querySelector('[aria-current]')?.parentElement;
    if (!current) return;
    // Within the list only: the page stays where it is.
    const { offsetTop, clientHeight } = list.current!;
    list.current!.scrollTop = current.offsetTop - offsetTop - clientHeight / 2;
  });
  if (now === null || now.line.steps.length === 0) return null;
  const { line, game } = now;
  const first = line.first === null ? 0 : game.colours.indexOf(line.first);
  return (
    <section class="record" aria-label="Moves made">
      <ol ref={list}>
        {[{ san: 'Start' }, ...line.steps].map(({ san }, at) => {
          // Moves are counted from the start of the line; the side that is named first in the game begins a number.
          const turn = at - 1 + first;
          const number = Math.floor(turn / 2) + 1;
          const mark = at === 0 ? '' : turn % 2 === 0 ? `${number}.` : at === 1 ? `${number}…` : '';
          return (
            <li key={at}>
              {mark && <span class="soft">{mark}</span>}
              <Button
                press={() => app.wind(at)}
                class={at > line.at ? 'undone' : ''}
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

/** The position as text: to read, copy, or paste another. */
export function PositionForm({ app }: { readonly app: App }) {
  const submit = ({ position }: Readonly<Record<string, string>>) => {
    if (position.trim() !== '') void app.open({ position: position.trim() });
  };
  return (
    <Form class="position" submitted={submit}>
      <label for="position">Position</label>
      <input
        id="position"
        name="position"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="go"
        value={app.text}
        onInput={({ currentTarget }) => {
          app.text.value = currentTarget.value;
        }}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <button type="submit">Show</button>
    </Form>
  );
}

const PACES = [
  ['slowly', 1600],
  ['steadily', 800],
  ['fast', 150],
] as const;

/** The buttons below the board. */
export function Toolbar({ app }: { readonly app: App }) {
  const now = app.shown.value;
  if (now === null) return null;
  const { line, answer } = now;
  const playing = app.playing.value;
  const why = app.noLine.value;
  const hasBoard = app.board.made.value !== null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div class="toolbar" role="group" aria-label="Moves and board">
      <div class="buttons">
        <Button press={app.back} title="Take the last move back" shortcut="ArrowLeft" available={line.at > 0}>
          ← Back
        </Button>
        <Button
          press={app.redo}
          title="Make it again"
          shortcut="ArrowRight"
          available={line.at < line.steps.length}
        >
          Redo →
        </Button>
        <Button
          press={app.playBest}
          title="Play the first of the best moves"
          shortcut="b"
          available={answer !== null && answer.moves.length > 0 && !playing}
        >
          Best move
        </Button>
      </div>
      <div class="buttons">
        <Button
          press={() => void app.playOut()}
          title={why ?? 'Play best moves of both sides to the end'}
          shortcut="m"
          class="main"
          available={why === null || playing}
        >
          {playing ? 'Stop' : 'Play out'}
        </Button>
        <select
          aria-label="How fast the main line is played"
          onChange={({ currentTarget }) => {
            app.pace.value = Number(currentTarget.value);
          }}
        >
          {PACES.map(([name, ms]) => (
            <option key={name} value={ms} selected={ms === app.pace.value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <label class="answers" title="The other side plays its best move by itself">
        <input
          type="checkbox"
          checked={app.answers.value}
          onChange={({ currentTarget }) => {
            app.answers.value = currentTarget.checked;
          }}
        />
        {' Answer my moves'}
      </label>
      <div class="buttons">
        <Button press={app.switchSetup} title="Put men on the board" shortcut="s" hidden={!hasBoard}>
          Set up
        </Button>
        <Button
          press={app.board.flip}
          title="See the board from the other side"
          shortcut="f"
          hidden={!hasBoard}
        >
          Flip
        </Button>
        <Button
          press={() => {
            app.dialog.value = 'share';
          }}
          title="A link, the position, the moves, a picture: to copy or save"
          shortcut="c"
        >
          Copy…
        </Button>
      </div>
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
    board.marks.arrow(null, 'draw');
    chosen(move);
  };
  return (
    <Dialog name="choose" title="Which move?" closed={() => close(null)}>
      {listed.map((move) => {
        const promoted = board.kind.promotion(move.uci);
        const valued = values?.moves.find(({ uci }) => uci === move.uci);
        const shade = valued ? shadeOf(valued, values!) : 'draw';
        const point = () => board.marks.arrow(board.kind.path(move.uci), shade);
        const words = valued
          ? outcome(valued, values!.metric, values!.game, clockOf(values!.position))
          : move.san;
        return (
          <button
            key={move.uci}
            type="button"
            class={`move ${wdlClass(shade)}`}
            title={words}
            onClick={() => close(move)}
            onFocus={point}
            onPointerEnter={point}
          >
            <span
              class="face"
              ref={(face) => {
                if (promoted !== null) face?.replaceChildren(board.picture(promoted));
              }}
            />
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
