/** The positions that a game can begin with, each with its value. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAsked } from './asked.js';
import type { ShownPosition } from './source.js';
import type { App } from './stores/app.js';
import { brief, shadeOf, verdictOf, wdlClass } from './value-words.js';
import { Button } from './widgets.js';

/** Positions that are looked up at once. */
const LISTED = 50;

export function Starts({ app }: { readonly app: App }) {
  const { starts = [], games } = app.options;
  const [{ name, metrics }] = games;
  const asked = useAsked<readonly ShownPosition[]>(app.notices.failed);
  const most = useSignal(LISTED);
  useEffect(() => {
    const listed = starts.slice(0, most.value);
    const found = () => Promise.all(listed.map((each) => app.source.probe(name, metrics, each)));
    void asked.ask(async () => (await found()).map(([first]) => first));
  }, [most.value]);
  const begun = app.position.shown.value?.line.start;
  return (
    <section class="starts" aria-label="First positions" aria-busy={asked.busy}>
      <ul>
        {(asked.answer.value ?? []).map((start) => (
          <li key={start.position}>
            <Button
              class={`ending ${wdlClass(shadeOf(start, start))}`}
              title={verdictOf(start)}
              current={start.position === begun ? 'true' : undefined}
              press={() => void app.open({ position: start.position })}
            >
              <span>{start.position}</span>
              <span class="value">{brief(start)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {starts.length > most.value && (
        <Button
          press={() => {
            most.value *= 4;
          }}
        >
          {`${starts.length - most.value} more`}
        </Button>
      )}
    </section>
  );
}
