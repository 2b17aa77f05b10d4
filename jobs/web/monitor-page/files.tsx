/** A set of endings on its way to Syzygy's files: how far it has come, and what each ending took. */
import type { FileSet, SetEnding } from '../../server/monitor/monitor-answers.js';
import { bytes, duration, whole } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { TableHead } from '../widgets.js';
import { RUNS, STATES, Tiles, Title, whenWords } from './words.js';

const DONE = { sign: '✓', words: 'files right' };
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

export function Files({ set, now }: { readonly set: FileSet; readonly now: number }) {
  return (
    <section class="panel files whole" aria-labelledby="files-title">
      <Title id="files-title" text="Syzygy's files" state={set.state} words={RUNS[set.state]} />
      <p class="soft">{whenWords(set, set.heardAt, now)}</p>
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
  const { sign, words } = one.state === 'done' ? DONE : STATES[one.state];
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
      <td>{`${sign} ${words}${step}`}</td>
      {figures.map((text, i) => (
        <td key={HEAD[i + 2]}>{isDone ? text : ''}</td>
      ))}
    </tr>
  );
}
