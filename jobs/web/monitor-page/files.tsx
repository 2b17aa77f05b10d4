/** A set of endings on its way to Syzygy's files: how far it has come, and what each ending took. Nothing where there is none. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FileSet, FilesAnswer, SetEnding } from '../../server/monitor/monitor-answers.js';
import { bytes, duration, whole } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { TableHead } from '../widgets.js';
import { runWords, timeOfDay } from './state-words.js';
import { Tiles } from './tiles.js';

const STATES: Readonly<Record<SetEnding['state'], { readonly sign: string; readonly words: string }>> = {
  working: { sign: '▶', words: 'at work' },
  begun: { sign: '‖', words: 'begun, nobody at work' },
  waiting: { sign: '○', words: 'waiting' },
  done: { sign: '✓', words: 'files right' },
};
const STEPS = { solve: 'solves', write: 'writes files', verify: 'verifies files' } as const;
const HEAD = [
  'ending',
  'state',
  'CPU',
  'time',
  'bytes',
  'longest win',
  'tables: positions right',
  'files: positions right',
];

/** The set of files is asked for so often. */
const EVERY_MS = 2000;

/** Asks for the set again and again, while the page is looked at. */
export function Files({ url }: { readonly url: string }) {
  const answer = useSignal<FilesAnswer | null>(null);
  useEffect(() => {
    const ask = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        const response = await fetch(url);
        if (response.ok) answer.value = (await response.json()) as FilesAnswer;
      } catch {
        // The page says that the connection is lost.
      }
    };
    void ask();
    const asking = setInterval(() => void ask(), EVERY_MS);
    return () => clearInterval(asking);
  }, [url]);
  const set = answer.value?.set ?? null;
  if (set === null) return null;
  return (
    <section class="panel files" aria-labelledby="files-title">
      <div class="title">
        <h2 id="files-title">Syzygy's files</h2>
        <span class="run-state" data-state={set.state}>
          {runWords(set.state)}
        </span>
      </div>
      <p class="soft">{whenOf(set, answer.value!.at)}</p>
      <Tiles of={figuresOf(set)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it. */}
      <section class="scroll" tabIndex={0} aria-label="Endings of the set">
        <table>
          <TableHead of={HEAD} />
          <tbody>
            {inOrder(set.endings).map((one) => (
              <Row key={one.ending} of={one} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function whenOf({ startedAt, heardAt, state }: FileSet, at: number): string {
  const heard = state === 'quiet' ? `; last heard of ${duration(Math.max(0, at - heardAt))} ago` : '';
  return `begun ${timeOfDay(startedAt)}${heard}`;
}

const sum = (numbers: Readonly<Record<string, number>> | null) =>
  Object.values(numbers ?? {}).reduce((a, b) => a + b, 0);

function figuresOf({ endings }: FileSet): Record<string, string | null> {
  const total = (of: (one: SetEnding) => number | null) =>
    endings.reduce((all, one) => all + (of(one) ?? 0), 0);
  const done = endings.filter(({ state }) => state === 'done');
  const longest = Math.max(0, ...done.map(({ longestWin }) => longestWin ?? 0));
  return {
    endings: `${whole(done.length)} of ${whole(endings.length)}`,
    CPU: duration(total(({ cpuMs }) => cpuMs)),
    time: duration(total(({ wallMs }) => wallMs)),
    'bytes of files': bytes(total((one) => sum(one.bytes))),
    'longest win': longest === 0 ? null : pliesText(longest),
    'positions verified': whole(total((one) => (one.tablePositions ?? 0) + sum(one.filePositions))),
  };
}

/** The one at work first, then those that are done, the last before the others, then those that wait. */
function inOrder(endings: readonly SetEnding[]): SetEnding[] {
  const begun = endings.filter(({ state }) => state === 'working' || state === 'begun');
  const done = endings.filter(({ state }) => state === 'done').toReversed();
  return [...begun, ...done, ...endings.filter(({ state }) => state === 'waiting')];
}

function Row({ of: one }: { readonly of: SetEnding }) {
  const { sign, words } = STATES[one.state];
  const step = one.step === null ? '' : `: ${STEPS[one.step]}`;
  const isDone = one.state === 'done';
  const figures = [
    duration(one.cpuMs ?? 0),
    duration(one.wallMs ?? 0),
    whole(sum(one.bytes)),
    one.longestWin === null ? '-' : String(one.longestWin),
    one.tablePositions === null ? 'not verified' : whole(one.tablePositions),
    whole(sum(one.filePositions)),
  ];
  return (
    <tr data-state={one.state} data-ending={one.ending}>
      <th scope="row">{one.ending}</th>
      <td>
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
        {` ${words}${step}`}
      </td>
      {figures.map((text, i) => (
        <td key={HEAD[i + 2]}>{isDone ? text : ''}</td>
      ))}
    </tr>
  );
}
