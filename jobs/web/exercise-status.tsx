import type { App } from './stores/app.js';
import { Button } from './widgets.js';

/** Beside the board while one practises: what is to be done, how it went, and what can be done next. */
export function ExerciseStatus({ app }: { readonly app: App }) {
  const { coach } = app;
  const status = coach.status.value;
  if (status === null) return null;
  const { text, more, kind } = status;
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
        <Button press={() => coach.another()} class={kind === 'done' ? 'main' : ''}>
          Next
        </Button>
        <Button press={coach.stop}>Show the values</Button>
      </div>
    </section>
  );
}
