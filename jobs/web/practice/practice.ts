/** Practising an ending: a random position is to be won, or held, against replies that give nothing away. */
import { keepingMoves } from '../../../pipeline/analysis/judge-move.js';
import type { Metric } from '../../../pipeline/value.js';
import type { EndingAnswer, GameAnswer, MoveAnswer, PositionAnswer } from '../../server/shapes.js';
import { capital } from '../../ui/verdict.js';
import { button, h, setText } from '../dom.js';
import type { TableSource } from '../source.js';
import { difficulties, type Goal, goals, newExercise, replyTo } from './exercise.js';
import { newScore } from './score.js';

export interface Practice {
  /** What is to be chosen. */
  readonly element: HTMLElement;
  /** Beside the board: what is to be done, and how it went. */
  readonly status: HTMLElement;
  readonly running: boolean;
  /** The position that the exercise began with; null while none runs. */
  readonly start: string | null;
  show(game: GameAnswer, metric: Metric): Promise<void>;
  /** The player moved; `after` is the position that it led to. Resolves when it is answered. */
  played(before: PositionAnswer, move: MoveAnswer, after: PositionAnswer): Promise<void>;
  stop(): void;
}

export interface PracticeEvents {
  /** Shows a position, from the side of who is to move. Resolves to whether it is shown. */
  begin(position: PositionAnswer): Promise<boolean>;
  reply(move: MoveAnswer): Promise<void>;
  takeBack(): void;
  /** Points at a move. */
  point(move: MoveAnswer): void;
  /** It began, ended, or can be looked into: values are hidden while it runs. */
  changed(): void;
  failed(error: Error): void;
}

/** Moves after which a draw is held. */
const HELD = 12;

export function newPractice(source: TableSource, events: PracticeEvents): Practice {
  let of: { game: GameAnswer; metric: Metric; endings: readonly EndingAnswer[] } | null = null;
  let wanted = '';
  let goal: Goal = 'win';
  /** The position that the player has to move in; null while nothing runs. */
  let here: PositionAnswer | null = null;
  let first: PositionAnswer | null = null;
  let hinted = 0;
  const score = newScore();
  const option = (value: string) => h('option', { value }, value);
  const ending = h('select', { name: 'ending' });
  const aim = h('select', { name: 'aim' }, ...goals.map(option));
  const difficulty = h('select', { name: 'difficulty' }, ...difficulties.map(option));
  const field = (title: string, input: HTMLElement) => h('label', {}, h('span', {}, title), input);
  const totals = h('p', { class: 'soft', role: 'status' });
  const words = h('p', { class: 'value', role: 'status' });
  const about = h('p', { class: 'soft' });
  const hint = button('Hint', giveHint, { title: 'The man to move, then its move' });
  const back = button('Take back', takeBack);
  const again = button('Once more', () => first && void start(first));
  const next = button('Next', () => void begin(), { class: 'main' });
  const give = button('Show the values', stop);
  const status = h(
    'section',
    { class: 'practice-status', hidden: true, 'aria-label': 'Exercise' },
    words,
    about,
    h('div', { class: 'buttons' }, hint, back, again, next, give),
  );
  const element = h(
    'section',
    { class: 'practice', 'aria-labelledby': 'practice-title' },
    h('h2', { id: 'practice-title' }, 'Practise'),
    h(
      'p',
      { class: 'soft' },
      'A random position of an ending: win it, or hold the draw, against the longest defence. Values are hidden until you ask.',
    ),
    h(
      'form',
      {
        class: 'query',
        submit: (event: Event) => {
          event.preventDefault();
          void begin();
        },
      },
      field('Ending', ending),
      field('Aim', aim),
      field('Difficulty', difficulty),
      h('button', { type: 'submit', class: 'main' }, 'Begin'),
    ),
    totals,
  );

  function tell(text: string, more: string, kind: 'running' | 'done' | 'failed'): void {
    setText(words, text);
    setText(about, more);
    status.className = `practice-status ${kind}`;
    hint.hidden = kind !== 'running';
    back.hidden = kind !== 'failed';
  }

  async function begin(): Promise<void> {
    const chosen = of?.endings.find((each) => each.ending === ending.value);
    if (of === null || chosen === undefined) return;
    goal = goals.find((each) => each === aim.value) ?? 'win';
    const level = difficulties.find((each) => each === difficulty.value) ?? 'easy';
    element.setAttribute('aria-busy', 'true');
    try {
      const { game, metric } = of;
      const found = await newExercise(source, { game, metric, ending: chosen, goal, difficulty: level });
      if (found === null) return setText(totals, `${chosen.ending} has no such position.`);
      await start(found);
    } catch (error) {
      events.failed(error as Error);
    } finally {
      element.removeAttribute('aria-busy');
    }
  }

  async function start(position: PositionAnswer): Promise<void> {
    [here, first, hinted] = [position, position, 0];
    score.begin(position.plies);
    status.hidden = false;
    const who = capital(position.mover);
    const aimWords = goal === 'win' ? 'win' : `hold the draw for ${HELD} moves`;
    tell(`${who} to move: ${aimWords}`, position.slice, 'running');
    events.changed();
    if (!(await events.begin(position))) stop();
  }

  function giveHint(): void {
    const [best] = here?.moves ?? [];
    if (best === undefined) return;
    score.hint();
    hinted++;
    if (hinted > 1) events.point(best);
    setText(about, hinted > 1 ? `Play ${best.san}.` : `Move the man on ${originOf(best)}.`);
  }

  function takeBack(): void {
    if (here === null) return;
    tell(`${capital(here.mover)} to move`, 'Try another move.', 'running');
    events.takeBack();
  }

  function stop(): void {
    if (here === null && status.hidden) return;
    here = null;
    status.hidden = true;
    events.changed();
  }

  /** Whether the game is over, one way or the other. */
  function ended(after: PositionAnswer): boolean {
    const isWon = goal === 'win' && after.terminal === 'lost';
    const isHeld = goal === 'draw' && (after.terminal !== 'open' || score.moves >= HELD);
    if (!isWon && !isHeld) return false;
    tell(isWon ? 'Won.' : 'Held.', score.end(isWon), 'done');
    setText(totals, score.totals());
    return true;
  }

  async function played(before: PositionAnswer, move: MoveAnswer, after: PositionAnswer): Promise<void> {
    if (here === null || before.position !== here.position) return;
    hinted = 0;
    const keeping = keepingMoves(before);
    if (!keeping.some(({ uci }) => uci === move.uci)) {
      score.fail();
      const others = keeping
        .slice(0, 3)
        .map(({ san }) => san)
        .join(', ');
      here = before;
      setText(totals, score.totals());
      return tell(`${move.san} gives the ${goal} away.`, `It is kept by ${others}.`, 'failed');
    }
    const lost = score.played(before.plies, move.plies);
    if (ended(after)) return;
    const reply = await replyTo(source, after, goal);
    if (reply === undefined || here === null) return;
    await events.reply(reply);
    const position = await source.probe(after.game, after.metric, reply.position);
    if (here === null) return;
    here = position;
    if (position.terminal !== 'open' && ended(position)) return;
    const worth = lost === 0 ? 'A best move.' : `That took ${lost} plies longer than the best.`;
    tell(
      `${capital(position.mover)} to move`,
      goal === 'win' ? worth : `${score.moves} of ${HELD} moves.`,
      'running',
    );
  }

  return {
    element,
    status,
    get running() {
      return here !== null;
    },
    get start() {
      return here === null ? null : first!.position;
    },
    stop,
    played,
    async show(game, metric) {
      const key = `${game.name} ${metric}`;
      if (key === wanted) return;
      wanted = key;
      of = null;
      const endings = await source.endings(game.name, metric).catch(() => []);
      if (wanted !== key) return;
      of = { game, metric, endings };
      const before = ending.value;
      const open = endings.filter(({ wins }) => wins[0] + wins[1] > 0);
      ending.replaceChildren(...open.map((each) => option(each.ending)));
      const last = open.at(-1)?.ending ?? '';
      ending.value = open.some((each) => each.ending === before) ? before : last;
    },
  };
}

/** The square that a move begins on, in words. */
function originOf({ uci }: MoveAnswer): string {
  return uci.split(/[-x]/)[0]!.slice(0, 2);
}
