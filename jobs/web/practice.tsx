/** Practising an ending: a random position is to be won, or held, against replies that give nothing away. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EndingAnswer } from '../server/api-answers.js';
import { type Difficulty, difficulties, type Goal, goals, newExercise } from './practice/exercise.js';
import type { App } from './state.js';
import { Button, Field, Form, Options } from './widgets.js';

/** The form that begins exercises. */
export function Practice({ app }: { readonly app: App }) {
  /** Null until they are listed. */
  const endings = useSignal<readonly EndingAnswer[] | null>(null);
  const busy = useSignal(false);
  const said = useSignal('');
  const ending = useSignal('');
  const now = app.shown.value;
  const game = now?.game;
  const metric = now?.metric;

  useEffect(() => {
    if (game === undefined || metric === undefined) return;
    let isWanted = true;
    endings.value = null;
    void app.source
      .endings(game.name, metric)
      .catch(() => [])
      .then((found) => {
        if (!isWanted) return;
        const won = found.filter(({ wins }) => wins[0] + wins[1] > 0);
        endings.value = won;
        const names = won.map((each) => each.ending);
        if (!names.includes(ending.value)) ending.value = names.at(-1) ?? '';
      });
    return () => {
      isWanted = false;
    };
  }, [game, metric]);

  const begin = async ({ aim, difficulty }: Readonly<Record<string, string>>): Promise<void> => {
    const wanted = endings.peek()?.find((each) => each.ending === ending.peek());
    if (wanted === undefined || game === undefined || metric === undefined) return;
    busy.value = true;
    try {
      const goal = aim as Goal;
      const found = await newExercise(app.source, {
        game,
        metric,
        goal,
        ending: wanted,
        difficulty: difficulty as Difficulty,
      });
      said.value = found === null ? `${wanted.ending} has no such position.` : '';
      if (found !== null) await app.coach.begin(found, goal);
    } catch (error) {
      app.failed(error as Error);
    } finally {
      busy.value = false;
    }
  };

  const isEmpty = endings.value?.length === 0;
  return (
    <section class="practice" aria-labelledby="practice-title" aria-busy={busy.value ? 'true' : undefined}>
      <h2 id="practice-title">Practise</h2>
      <p class="soft">
        A random position of an ending: win it, or hold the draw, against the longest defence. Values are
        hidden until you ask.
      </p>
      <Form class="query" submitted={(texts) => void begin(texts)}>
        <Field title="Ending">
          <select
            name="ending"
            value={ending.value}
            onChange={({ currentTarget }) => {
              ending.value = currentTarget.value;
            }}
          >
            <Options of={(endings.value ?? []).map((each) => each.ending)} />
          </select>
        </Field>
        <Field title="Aim">
          <select name="aim">
            <Options of={goals} />
          </select>
        </Field>
        <Field title="Difficulty">
          <select name="difficulty">
            <Options of={difficulties} />
          </select>
        </Field>
        <button type="submit" class="main" id="begin-exercise" disabled={isEmpty}>
          Begin
        </button>
      </Form>
      <p class="soft" role="status">
        {isEmpty
          ? 'There is no table of an ending that somebody wins: exercises are drawn from tables.'
          : said.value || (!app.coach.running.value && app.coach.totals)}
      </p>
    </section>
  );
}

/** Beside the board while one practises: what is to be done, how it went, and what can be done next. */
export function ExerciseStatus({ app }: { readonly app: App }) {
  const { coach } = app;
  const status = coach.status.value;
  if (status === null) return null;
  const { text, more, kind } = status;
  const next = () => document.querySelector<HTMLButtonElement>('#begin-exercise')!.click();
  return (
    <section class={`practice-status ${kind}`} aria-label="Exercise">
      <p class="value" role="status">
        {text}
      </p>
      <p class="soft">{more}</p>
      {kind !== 'running' && <p class="soft">{coach.totals}</p>}
      <div class="buttons">
        {kind === 'running' && (
          <Button press={coach.hint} title="The man to move, then its move">
            Hint
          </Button>
        )}
        {kind === 'failed' && <Button press={coach.takeBack}>Take back</Button>}
        {kind === 'failed' && <Button press={coach.solve}>Solution</Button>}
        <Button press={coach.again}>Once more</Button>
        <Button press={next} class="main">
          Next
        </Button>
        <Button press={coach.stop}>Show the values</Button>
      </div>
    </section>
  );
}
