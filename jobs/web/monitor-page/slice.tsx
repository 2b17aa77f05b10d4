/** All that is known of the slice that is looked at. */
import { type Metric, stipulations } from '../../../pipeline/game/stipulation.js';
import type { SliceDetail } from '../../progress/model.js';
import { stepWords } from '../../progress/words.js';
import { bytes, count, duration, rough, whole } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { Scroll, TableHead } from '../widgets.js';
import type { Monitor } from './model.js';
import { longestTitle, STATES, Tiles, Title, textOf } from './words.js';

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
  const { slice, metric, state } = status;
  const words = [STATES[state].words, stepWords(status)].filter(Boolean).join(': ');
  const now = monitor.now.value;
  return (
    <section class="panel slice" aria-labelledby="slice-title" aria-busy={detail === null}>
      <Title id="slice-title" text={`${slice} ${metric}`} state={state} words={words} />
      {detail !== null && (
        <>
          {detail.problem !== null && <p class="problem">{detail.problem}</p>}
          <Work detail={detail} now={now} />
          <Tiles of={figuresOf(detail, metric, now)} />
          <Ranks detail={detail} now={now} />
          <Phases detail={detail} now={now} />
          <Rounds detail={detail} metric={metric} />
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
    done !== null && (total !== null ? `${whole(done)} of ${whole(total)}` : `${whole(done)} done`),
    startedAt !== null && state === 'working' && `for ${duration(Math.max(0, now - startedAt))}`,
    leftMs !== null && `${atMost ? 'at most' : 'about'} ${duration(leftMs)} left of this phase`,
  ];
  return (
    <p class="soft">
      {(share !== null || state === 'working') && (
        <progress max={1} value={share ?? undefined} aria-label={`${phase}: how much is done`} />
      )}
      {words.filter(Boolean).join(' · ')}
    </p>
  );
}

function figuresOf(detail: SliceDetail, metric: Metric, now: number): Record<string, string | null> {
  const { state, lastAt, rss, peakRss, memory } = detail;
  const isAlive = (state === 'working' || state === 'begun') && lastAt !== null;
  return {
    'requests/s': textOf(detail.requestsPerSecond, rough),
    requests: textOf(detail.requests, rough),
    read: textOf(detail.bytesRead, bytes),
    written: textOf(detail.bytesWritten, bytes),
    spills: textOf(detail.spills, whole),
    'time in phases': textOf(detail.wallMs, duration),
    positions: textOf(detail.positions, whole),
    [longestTitle([metric])]: textOf(detail.longestWin, pliesText),
    'resident now': textOf(rss, bytes),
    'resident at most': textOf(peakRss, bytes),
    'budget for buffers': textOf(memory, bytes),
    'last sign of life': isAlive ? `${duration(Math.max(0, now - lastAt))} ago` : null,
  };
}

/** More than these are only counted. */
const NAMED = 12;

/** Ranks that solve a slice together: how many partitions have done the step at hand, which the others wait for, and who takes part. */
function Ranks({ detail: { ranks }, now }: DetailProps) {
  if (ranks === null) return null;
  const { step, partitions, done, missing, seen } = ranks;
  const late = done > 0 ? missing : [];
  const waiting = late.slice(0, NAMED).map(({ partition }) => partition);
  const more = late.length > NAMED ? ` and ${late.length - NAMED} more` : '';
  return (
    <div class="ranks">
      <p>
        {`${step}: ${done} of ${partitions} partitions done`}
        {late.length > 0 && `, waiting for ${waiting.join(', ')}${more}`}
      </p>
      <ul>
        {seen.slice(0, NAMED).map(({ rank, host, partitions: own, lastAt }) => (
          <li
            key={`${rank} ${host}`}
            class={late.some((each) => each.rank === rank && each.host === host) ? 'late' : undefined}
          >
            {`rank ${rank} on ${host}, ${count(own, 'partition')}, last part ${duration(Math.max(0, now - lastAt))} ago`}
          </li>
        ))}
        {seen.length > NAMED && <li>{`${seen.length - NAMED} more`}</li>}
      </ul>
    </div>
  );
}

interface BarsProps {
  readonly name: string;
  readonly title: string;
  readonly head: readonly string[];
  /** The cells of each row, and the length of its bar, 0 to 1. */
  readonly rows: readonly (readonly [cells: readonly string[], bar: number])[];
}

/** A table whose rows end in bars. */
function Bars({ name, title, head, rows }: BarsProps) {
  if (rows.length === 0) return null;
  return (
    <Scroll class={name} title={title}>
      <table>
        <caption>{title}</caption>
        <TableHead of={head} />
        <tbody>
          {rows.map(([[first, ...others], bar], i) => (
            <tr key={`${first} ${rows.length - i}`}>
              <th scope="row">{first}</th>
              {others.map((text, column) => (
                <td key={head[column]}>{text}</td>
              ))}
              <td class="bar" aria-hidden="true">
                <span style={{ width: `${100 * bar}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** How long the phases took, each a part of the whole time. */
function Phases({ detail: { phases, phase, current, state }, now }: DetailProps) {
  const isGoing = phase !== null && current?.startedAt != null && state === 'working';
  const all = [...phases, ...(isGoing ? [{ phase, wallMs: Math.max(0, now - current.startedAt!) }] : [])];
  const total = all.reduce((sum, { wallMs }) => sum + wallMs, 0);
  const rows = all.map(({ phase: name, wallMs }) => [[name, duration(wallMs)], wallMs / total || 0] as const);
  return <Bars name="phases" title="Phases" head={['phase', 'time']} rows={rows} />;
}

/** The rounds, the last one first, with the positions that each labelled as bars on a logarithmic scale: one position is seen, too. */
function Rounds({ detail: { rounds }, metric }: { readonly detail: SliceDetail; readonly metric: Metric }) {
  const isProblem = stipulations[metric].numbers;
  const size = (labelled: number) => Math.log2(1 + labelled);
  const most = size(Math.max(0, ...rounds.map(({ won, lost }) => won + lost)));
  const rows = rounds.toReversed().map(({ ply, won, lost, requests, wallMs }) => {
    const labelled = isProblem ? [whole(won + lost)] : [whole(won), whole(lost)];
    const cells = [String(ply), ...labelled, whole(requests), textOf(wallMs, duration) ?? ''];
    return [cells, size(won + lost) / most || 0] as const;
  });
  const labels = isProblem ? ['with a solution'] : ['won', 'lost'];
  const head = ['round', ...labels, 'requests', 'time'];
  return <Bars name="rounds" title="Rounds, the last one first" head={head} rows={rows} />;
}
