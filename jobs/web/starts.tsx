/** The positions that a game can begin with, each with its value. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAsked } from './asked.js';
import type { ShownPosition } from './source.js';
import type { App } from './stores/app.js';
import { brief, shadeOf, verdictOf, wdlClass } from './value-words.js';
import { Button, More } from './widgets.js';

/** Positions that are listed at first, and are added at a time. */
const LISTED = 50;

export function Starts({ app }: { readonly app: App }) {
  const { starts = [] } = app.options;
  const shown = useSignal(LISTED);
  return (
    <section class="starts" aria-label="First positions">
      <ul>
        {starts.slice(0, shown.value).map((position) => (
          <li key={position}>
            <Start app={app} position={position} />
          </li>
        ))}
      </ul>
      <More shown={shown} all={starts.length} step={LISTED} />
    </section>
  );
}

/** Each asks for its own value, so that a failure is of one position; the source makes one request of them. */
function Start({ app, position }: { readonly app: App; readonly position: string }) {
  const [{ name, metrics }] = app.options.games;
  const problem = useSignal('');
  const asked = useAsked<ShownPosition>(({ message }) => {
    problem.value = message;
  });
  const look = async () => {
    problem.value = '';
    await asked.ask(async () => (await app.source.probe(name, metrics, position))[0]);
  };
  useEffect(() => void look(), []);
  const start = asked.answer.value;
  const [words, value, kind] =
    start === null
      ? [problem.value, problem.value && 'no value', 'unknown']
      : [verdictOf(start), brief(start), wdlClass(shadeOf(start, start))];
  return (
    <Button
      class={`ending ${kind}`}
      title={words}
      current={(start?.position ?? position) === app.position.shown.value?.line.start ? 'true' : undefined}
      press={() => {
        if (problem.peek() !== '') void look();
        void app.open({ position });
      }}
    >
      <span>{position}</span>
      <span class="value">{value}</span>
    </Button>
  );
}
