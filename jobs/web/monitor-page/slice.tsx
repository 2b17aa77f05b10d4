/** All that is known of the slice that is looked at. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { RoundRecord } from '../../../pipeline/tables/records/record-shapes.js';
import type { SliceDetail } from '../../server/monitor/monitor-answers.js';
import { bytes, duration, percent, rough, whole } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { isDark } from '../theme.js';
import { TableHead } from '../widgets.js';
import { keyOf, type Monitor } from './model.js';
import { newRoundChart, type RoundChart, type RoundLine } from './round-chart.js';
import { atWords, STATES } from './state-words.js';
import { Tiles, textOf } from './tiles.js';

interface DetailProps {
  readonly detail: SliceDetail;
  /** By the server's clock. */
  readonly now: number;
}

/** The known facts are shown at once; the rest follows. */
export function Slice({ monitor }: { readonly monitor: Monitor }) {
  const status = monitor.slice.value;
  const detail = monitor.detail.value;
  if (status === null) return null;
  const where = atWords(status);
  const about = detail === null ? null : { detail, now: monitor.now.value };
  return (
    <section class={`panel slice ${detail === null ? 'loading' : ''}`} aria-labelledby="slice-title">
      <div class="title">
        <h2 id="slice-title">{`${status.slice} ${status.metric}`}</h2>
        <span class="slice-state" data-state={status.state}>
          {STATES[status.state].words + (where === '' ? '' : `: ${where}`)}
        </span>
      </div>
      {about !== null && (
        <>
          {about.detail.problem !== null && <p class="problem">{about.detail.problem}</p>}
          <Work {...about} />
          <Tiles of={figuresOf(about)} />
          <Memory detail={about.detail} />
          <Ranks {...about} />
          <Nothing detail={about.detail} />
          <Charts detail={about.detail} />
          <Phases {...about} />
          <Rounds rounds={about.detail.rounds} />
        </>
      )}
    </section>
  );
}

/** How much of a phase is done, and how long the rest will take. */
function Work({ detail: { current, share, state, phase }, now }: DetailProps) {
  if (current === null) return null;
  const { startedAt, leftMs, atMost, done, total } = current;
  const words = [
    done !== null &&
      (total !== null ? `${whole(done)} of ${whole(total)}` : done > 0 && `${whole(done)} done`),
    startedAt !== null && state === 'working' && `for ${duration(Math.max(0, now - startedAt))}`,
    leftMs !== null && `${atMost ? 'at most' : 'about'} ${duration(leftMs)} left of this phase`,
  ];
  return (
    <div class="work">
      {(share !== null || state === 'working') && (
        <progress max={1} value={share ?? undefined} aria-label={`${phase}: how much is done`} />
      )}
      <span class="soft">{words.filter(Boolean).join(' · ')}</span>
    </div>
  );
}

function figuresOf({ detail, now }: DetailProps): Record<string, string | null> {
  const { state, lastAt, spills, rowsSpilled } = detail;
  const isAlive = (state === 'working' || state === 'begun') && lastAt !== null;
  const rows = rowsSpilled ? `, ${rough(rowsSpilled)} rows` : '';
  return {
    'requests/s': textOf(detail.requestsPerSecond, rough),
    requests: textOf(detail.requests, rough),
    read: textOf(detail.bytesRead, bytes),
    written: textOf(detail.bytesWritten, bytes),
    spills: spills === null ? null : whole(spills) + rows,
    'time in phases': textOf(detail.wallMs, duration),
    positions: textOf(detail.positions, whole),
    'longest win': textOf(detail.longestWin, pliesText),
    'last sign of life': isAlive ? `${duration(Math.max(0, now - lastAt))} ago` : null,
  };
}

/** The resident memory of the process, or of a rank, against its budget for buffers: the runtime needs some 100 MiB beside. */
function Memory({ detail: { memory, rss, peakRss, by } }: { readonly detail: SliceDetail }) {
  const most = peakRss ?? rss;
  if (most === null) return null;
  const share = (n: number) => `${(100 * n) / (1.05 * Math.max(memory ?? 0, most))}%`;
  const words = [
    rss !== null && `resident now ${bytes(rss)}`,
    `${by === 'ranks' ? 'a rank’s resident set at most' : 'resident at most'} ${bytes(most)}`,
    memory !== null && `budget for buffers ${bytes(memory)} (the line)`,
  ];
  return (
    <div class="memory">
      <h3>Memory</h3>
      <div class="bar" aria-hidden="true">
        <span class="peak" style={{ width: share(most) }} />
        <span class="now" style={{ width: share(rss ?? 0) }} />
        {memory !== null && <span class="budget" style={{ left: share(memory) }} />}
      </div>
      <p class="soft">{words.filter(Boolean).join(' · ')}</p>
    </div>
  );
}

/** More than these are only counted. */
const NAMED = 12;

/** Ranks that solve a slice together: how many partitions have done the step at hand, whom all wait for, and who takes part. */
function Ranks({ detail: { ranks }, now }: DetailProps) {
  if (ranks === null) return null;
  const { step, partitions, done, missing, seen } = ranks;
  const isLate = done > 0 && missing.length > 0;
  const waiting = isLate ? `, waiting for ${namesOf(missing)}` : '';
  const late = new Set(isLate ? missing.map(({ rank, host }) => `${rank} ${host}`) : []);
  return (
    <div class="ranks">
      <p>{`${step}: ${done} of ${partitions} partitions done${waiting}`}</p>
      <ul>
        {seen.slice(0, NAMED).map(({ rank, host, partitions: own, lastAt }) => {
          const ago = duration(Math.max(0, now - lastAt));
          return (
            <li key={`${rank} ${host}`} class={late.has(`${rank} ${host}`) ? 'late' : undefined}>
              {`rank ${rank} on ${host}, ${own} ${own === 1 ? 'partition' : 'partitions'}, last part ${ago} ago`}
            </li>
          );
        })}
        {seen.length > NAMED && <li>{`${seen.length - NAMED} more`}</li>}
      </ul>
    </div>
  );
}

function namesOf(missing: NonNullable<SliceDetail['ranks']>['missing']): string {
  const names = missing.slice(0, NAMED).map(({ partition }) => partition);
  return names.join(', ') + (missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '');
}

/** Why there are no rounds. */
function Nothing({ detail: { state, rounds, by } }: { readonly detail: SliceDetail }) {
  const isDone = state === 'solved' || state === 'verified';
  const words =
    state === 'waiting'
      ? 'Not begun: it is begun when all that it depends on is solved.'
      : rounds.length > 0 || state === 'damaged'
        ? ''
        : isDone
          ? 'There is no record of its rounds: it was solved by an earlier version, or has none.'
          : by === null
            ? ''
            : 'No round is done yet.';
  return words === '' ? null : <p class="soft">{words}</p>;
}

const FRONTIER: readonly RoundLine[] = [
  { label: 'won', colour: 'win' },
  { label: 'lost', colour: 'loss' },
];
const REQUESTS: readonly RoundLine[] = [{ label: 'requests', colour: 'accent' }];

/** The rounds of a slice, as charts. */
function Charts({ detail }: { readonly detail: SliceDetail }) {
  const { rounds } = detail;
  const last = rounds.at(-1);
  const { plies, frontier, requests } = useMemo(
    () => ({
      plies: rounds.map(({ ply }) => ply),
      frontier: [rounds.map(({ won }) => won), rounds.map(({ lost }) => lost)],
      requests: [rounds.map(({ requests }) => requests)],
    }),
    // Rounds are only added, so those of a slice are the same as before if their number and the last one are.
    [keyOf(detail), rounds.length, last?.ply, last?.wallMs],
  );
  if (rounds.length === 0) return null;
  return (
    <div class="charts">
      <figure>
        <figcaption>Frontier: positions labelled in each round</figcaption>
        <Chart lines={FRONTIER} plies={plies} columns={frontier} />
      </figure>
      <figure>
        <figcaption>Requests of each round</figcaption>
        <Chart lines={REQUESTS} plies={plies} columns={requests} />
      </figure>
    </div>
  );
}

interface ChartProps {
  readonly lines: readonly RoundLine[];
  readonly plies: readonly number[];
  readonly columns: readonly (readonly number[])[];
}

/** It is drawn again when it gets other figures, or when the page changes its colours. */
function Chart({ lines, plies, columns }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<RoundChart | null>(null);
  const dark = isDark.value;
  useEffect(() => {
    chart.current = newRoundChart(host.current!, lines);
    return () => chart.current!.remove();
  }, [dark]);
  useEffect(() => chart.current!.show(plies, columns), [dark, plies, columns]);
  return <div class="chart" ref={host} />;
}

/** How long the phases took: a line each, with a bar as long as its part of the time. */
function Phases({ detail: { phases, phase, current, state }, now }: DetailProps) {
  const isGoing = phase !== null && current?.startedAt != null && state === 'working';
  const all = [
    ...phases.map(({ phase: name, wallMs }) => ({ name, wallMs, going: false })),
    ...(isGoing ? [{ name: phase, wallMs: Math.max(0, now - current.startedAt!), going: true }] : []),
  ];
  if (all.length === 0) return null;
  const total = all.reduce((sum, { wallMs }) => sum + wallMs, 0);
  return (
    <table class="phases">
      <caption>Phases</caption>
      <TableHead of={['phase', 'time', 'part']} />
      <tbody>
        {all.map(({ name, wallMs, going }, i) => (
          <tr key={`${name} ${i}`} class={going ? 'going' : undefined}>
            <th scope="row">{name}</th>
            <td>{duration(wallMs)}</td>
            <td title={percent(wallMs, total)}>
              <span class="part" style={{ width: `${total === 0 ? 0 : (100 * wallMs) / total}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The rounds as a table: what the charts show, to be read. Filled when it is opened. */
function Rounds({ rounds }: { readonly rounds: readonly RoundRecord[] }) {
  const isOpen = useSignal(false);
  if (rounds.length === 0) return null;
  return (
    <details
      class="rounds"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>All rounds</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it. */}
      <section class="scroll" tabIndex={0} aria-label="All rounds">
        <table>
          <TableHead of={['round', 'won', 'lost', 'requests', 'time']} />
          <tbody>
            {isOpen.value &&
              rounds.map(({ ply, won, lost, requests, wallMs }) => (
                <tr key={ply}>
                  <th scope="row">{ply}</th>
                  <td>{whole(won)}</td>
                  <td>{whole(lost)}</td>
                  <td>{whole(requests)}</td>
                  <td>{wallMs === null ? '' : duration(wallMs)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
