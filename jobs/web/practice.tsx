/** Practising an ending: a random position is to be won, or held, against replies that give nothing away. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PlayedEnding } from '../server/api-answers.js';
import { endingWords } from '../ui/ending-words.js';
import { useAsked } from './asked.js';
import { type Difficulty, difficulties, type Goal, goals, newExercise } from './practice/exercise.js';
import type { ShownPosition } from './source.js';
import type { App } from './stores/app.js';
import { Field, Form, Select } from './widgets.js';

/** The form that begins exercises. */
export function Practice({ app }: { readonly app: App }) {
  const { coach, notices, source } = app;
  const endings = useAsked<readonly PlayedEnding[]>(notices.failed);
  const asked = useAsked<ShownPosition | null>(notices.failed);
  const said = useSignal('');
  const ending = useSignal('');
  const now = app.position.shown.value;
  const game = now?.game;
  const metric = now?.metric;

  useEffect(() => {
    if (game === undefined || metric === undefined) return;
    endings.clear();
    void endings
      .ask(async () => {
        const found = await source.endings(game.name, metric).catch(() => []);
        return found.flatMap((each) => ('wins' in each && each.wins[0] + each.wins[1] > 0 ? [each] : []));
      })
      .then((won) => {
        const names = (won ?? []).map((each) => each.ending);
        if (won !== null && !names.includes(ending.value)) ending.value = names.at(-1) ?? '';
      });
  }, [game, metric]);

  const begin = async ({ aim, difficulty }: Readonly<Record<string, string>>): Promise<void> => {
    const wanted = endings.answer.peek()?.find((each) => each.ending === ending.peek());
    if (wanted === undefined || game === undefined || metric === undefined) return;
    const goal = aim as Goal;
    const exercise = { game, metric, goal, ending: wanted, difficulty: difficulty as Difficulty };
    const another = async () => {
      said.value = '';
      const found = await asked.ask(async () => {
        const drawn = await newExercise(source, exercise);
        if (drawn === null) said.value = `${wanted.ending} has no such position.`;
        return drawn;
      }, another);
      if (found !== null) await coach.begin(found, goal);
    };
    coach.another = another;
    await another();
  };

  const isEmpty = endings.answer.value?.length === 0;
  return (
    <section class="practice" aria-label="Practise" aria-busy={asked.busy}>
      <p class="soft">
        A random position of an ending: win it, or hold the draw, against the longest defence. Values are
        hidden until you ask.
      </p>
      <Form class="query" submitted={(texts) => void begin(texts)}>
        <Field title="Ending">
          <Select
            name="ending"
            value={ending.value}
            changed={(chosen) => {
              ending.value = chosen;
            }}
            of={(endings.answer.value ?? []).map(
              ({ ending }) =>
                [
                  ending,
                  [ending, endingWords(game?.name ?? '', ending)].filter(Boolean).join(' · '),
                ] as const,
            )}
          />
        </Field>
        <Field title="Aim">
          <Select name="aim" of={goals} />
        </Field>
        <Field title="Difficulty">
          <Select name="difficulty" of={difficulties} />
        </Field>
        <button type="submit" class="main" disabled={isEmpty}>
          Begin
        </button>
      </Form>
      <p class="soft" role="status">
        {isEmpty
          ? 'There is no table of an ending that somebody wins: exercises are drawn from tables.'
          : said.value || (!coach.running.value && coach.totals)}
      </p>
    </section>
  );
}
