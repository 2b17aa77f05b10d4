/** A set of endings on its way to Syzygy's files: how far it has come, and what each ending took. */
import type { FileSet, Ledger, SetEnding } from '../../progress/model.js';
import { bytes, duration, whole } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { Scroll, TableHead } from '../widgets.js';
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

const sumOf = (numbers: Readonly<Record<string, number>>) =>
  Object.values(numbers).reduce((a, b) => a + b, 0);

export function Files({ set, now }: { readonly set: FileSet; readonly now: number }) {
  return (
    <section class="panel files whole" aria-labelledby="files-title">
      <Title id="files-title" text="Syzygy's files" state={set.state} words={RUNS[set.state]} />
      <p class="soft">{whenWords(set, set.heardAt, now)}</p>
      <Tiles of={figuresOf(set)} />
      <Scroll title="Endings of the set">
        <table>
          <TableHead of={HEAD} />
          <tbody>
            {inOrder(set.endings).map((one) => (
              <Row key={one.ending} of={one} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function figuresOf({ endings }: FileSet): Record<string, string | null> {
  const done = endings.flatMap(({ ledger }) => ledger ?? []);
  const total = (of: (ledger: Ledger) => number) => done.reduce((all, ledger) => all + of(ledger), 0);
  const longest = Math.max(0, ...done.map(({ longestWin }) => longestWin ?? 0));
  return {
    endings: `${whole(done.length)} of ${whole(endings.length)}`,
    CPU: duration(total(({ cpuMs }) => cpuMs)),
    time: duration(total(({ wallMs }) => wallMs)),
    'bytes of files': bytes(total((ledger) => sumOf(ledger.bytes))),
    'longest win': longest === 0 ? null : pliesText(longest),
    'positions verified': whole(
      total(({ tablePositions, filePositions }) => (tablePositions ?? 0) + sumOf(filePositions)),
    ),
  };
}

/** The one at work first, then those that are done, the last before the others, then those that wait. */
function inOrder(endings: readonly SetEnding[]): SetEnding[] {
  const begun = endings.filter(({ state }) => state === 'working' || state === 'begun');
  const done = endings.filter(({ state }) => state === 'done').toReversed();
  return [...begun, ...done, ...endings.filter(({ state }) => state === 'waiting')];
}

function Row({ of: { ending, state, step, ledger } }: { readonly of: SetEnding }) {
  const { sign, words } = state === 'done' ? DONE : STATES[state];
  const figures = ledger === null ? HEAD.slice(2).map(() => '') : cellsOf(ledger);
  return (
    <tr data-state={state} data-ending={ending}>
      <th scope="row">{ending}</th>
      <td>{`${sign} ${words}${step === null ? '' : `: ${STEPS[step]}`}`}</td>
      {figures.map((text, i) => (
        <td key={HEAD[i + 2]}>{text}</td>
      ))}
    </tr>
  );
}

const cellsOf = (ledger: Ledger): string[] => [
  duration(ledger.cpuMs),
  duration(ledger.wallMs),
  whole(sumOf(ledger.bytes)),
  ledger.longestWin === null ? '-' : String(ledger.longestWin),
  ledger.tablePositions === null ? 'not verified' : whole(ledger.tablePositions),
  whole(sumOf(ledger.filePositions)),
];
