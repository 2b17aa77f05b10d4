/** The report as a document: for the terminal, and as one page that needs no script and no network. */
import {
  type Block,
  type Cell,
  documentHtml,
  documentText,
  heading,
  paragraph,
  type Table,
} from '../ui/document.js';
import { bytes, duration, rough, whole } from '../ui/numbers.js';
import { STYLE } from '../ui/page-style.js';
import { safe } from '../ui/safe-html.js';
import { type Chart, countText, drawChart, drawKey } from './chart.js';
import { describeDisagreement, fastest, size } from './comparison-text.js';
import { ioTotals } from './io-counts.js';
import type { Report, SolvedRun } from './report.js';
import { solverNames, solvers } from './solvers.js';

export function reportPage(report: Report): string {
  const title = `${report.ending}: the solvers compared`;
  return documentHtml(title, [heading(1, title), ...blocksOf(report, charts(report))], { style: STYLE });
}

export function reportText(report: Report): string {
  return documentText(blocksOf(report, []));
}

function blocksOf(report: Report, charts: readonly Block[]): Block[] {
  const { ending, metric, command, positions, tableBytes, solved, unable, notes } = report;
  const head =
    tableBytes === null
      ? 'no solver could work'
      : `${whole(positions!)} positions, a table of ${size(tableBytes)}`;
  return [
    paragraph(`${ending}, ${metric}: ${head}`),
    ...verdict(report),
    { kind: 'command', text: command },
    ...(solved.length === 0
      ? []
      : [
          ...charts,
          heading(2, 'Measured, and I/O as counted'),
          { kind: 'table', table: measured(report) } satisfies Block,
          heading(2, 'Modelled time', 'CPU as measured, I/O computed'),
          { kind: 'table', table: modelled(report) } satisfies Block,
          paragraph('Bold, or with a star: the fastest in its budget.', 'soft'),
          heading(2, 'The devices of the model'),
          { kind: 'table', table: devices(report) } satisfies Block,
        ]),
    ...unable.map(({ solver, memory, reason }) =>
      paragraph(`${solvers[solver].title} at ${size(memory)} cannot run: ${reason}`, 'soft'),
    ),
    heading(2, 'How to read this'),
    { kind: 'list', items: notes },
  ];
}

function verdict({ disagreements, solved }: Report): Block[] {
  if (disagreements.length > 0)
    return disagreements.map((each) => paragraph(describeDisagreement(each), 'alarm', 'DIFFERENT: '));
  if (solved.length < 2) return [paragraph('One table only: there is nothing to compare it with.')];
  const digests = solved[0].measured.digests.map((digest) => `${digest.slice(0, 12)}…`).join(', ');
  return [paragraph(`All ${solved.length} tables are identical, position by position (SHA-256 ${digests}).`)];
}

function charts(report: Report): Block[] {
  if (report.solved.length === 0) return [];
  const { memories, solved, solvers: names, devices } = report;
  const ticksX = memories.map((x) => ({ x, text: size(x) }));
  const linesOf = (figure: (run: SolvedRun) => number) =>
    names.map((name) => ({
      name,
      title: solvers[name].title,
      shape: solverNames.indexOf(name),
      points: solved
        .filter(({ solver }) => solver === name)
        .map((run) => ({ x: run.memory, y: figure(run) })),
    }));
  const time = { ticksX, text: duration, tick: seconds, base: 10 } as const;
  const all: Chart[] = [
    { ...time, title: 'Wall time', origin: 'measured', lines: linesOf((run) => run.measured.wallMs) },
    ...devices.map(
      ({ title }, i): Chart => ({
        ...time,
        title: `Time on ${title}`,
        origin: 'modelled',
        lines: linesOf((run) => run.modelled[i].totalMs),
      }),
    ),
    {
      ticksX,
      title: 'Bytes read and written',
      origin: 'counted',
      base: 2,
      text: size,
      tick: size,
      lines: linesOf((run) => ioTotals(run.measured.io).all.bytes),
    },
    {
      ticksX,
      title: 'Random I/O operations',
      origin: 'counted',
      base: 10,
      text: countText,
      tick: countText,
      lines: linesOf((run) => ioTotals(run.measured.io).random.operations),
    },
    {
      ticksX,
      title: 'Peak resident set',
      origin: 'measured',
      base: 2,
      text: size,
      tick: size,
      lines: linesOf((run) => run.measured.peakRssBytes),
    },
  ];
  const legend = names
    .map((name) => `<li>${drawKey(name, solverNames.indexOf(name))}${solvers[name].title}</li>`)
    .join('');
  const figures = all.map(
    (chart) =>
      `<figure><h3>${safe(chart.title)} <span class="origin">${chart.origin}</span></h3>${drawChart(chart)}</figure>`,
  );
  return [
    heading(
      2,
      'Against the memory budget',
      'both axes logarithmic; dashed lines are modelled; a figure of 0 is drawn at 1',
    ),
    { kind: 'html', html: `<ul class="legend">${legend}</ul>` },
    { kind: 'figures', class: 'charts', figures },
  ];
}

/** Powers of ten, as seconds. @param ms at least 1 */
function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${whole(ms / 1000)} s`;
}

function measured({ memories, solved }: Report): Table {
  const rows = memories.flatMap((memory) =>
    solved
      .filter((run) => run.memory === memory)
      .map(({ solver, measured: { io, wallMs, cpuMs, peakRssBytes, pageFaults, requests } }) => {
        const { all, random } = ioTotals(io);
        return [
          solvers[solver].title,
          size(memory),
          duration(wallMs),
          duration(cpuMs),
          bytes(peakRssBytes),
          bytes(io.read.sequential.bytes),
          bytes(io.read.random.bytes),
          bytes(io.written.sequential.bytes),
          bytes(io.written.random.bytes),
          whole(all.operations),
          whole(random.operations),
          pageFaults === null ? '–' : whole(pageFaults),
          rough(requests),
        ];
      }),
  );
  const columns = ['solver', 'memory', 'wall', 'CPU', 'peak RSS', 'read seq.', 'read random', 'written seq.'];
  columns.push('written random', 'operations', 'of them random', 'page faults', 'requests');
  return { columns, rows };
}

function modelled({ memories, solved, devices }: Report): Table {
  const rows = memories.flatMap((memory) => {
    const here = solved.filter((run) => run.memory === memory);
    const best = devices.map((_, i) => fastest(here, (run) => run.modelled[i].totalMs));
    return here.map((run): Cell[] => [
      solvers[run.solver].title,
      size(memory),
      ...run.modelled.map(({ totalMs }, i) => ({
        value: totalMs,
        text: duration(totalMs),
        isBest: here.length > 1 && best[i] === run,
      })),
    ]);
  });
  return { columns: ['solver', 'memory', ...devices.map(({ title }) => title)], rows };
}

function devices({ devices }: Report): Table {
  const rows = devices.map(({ title, latencyMs, bandwidth, transfer, basis }) => [
    title,
    `${latencyMs} ms`,
    `${bandwidth / 1e6} MB/s`,
    size(transfer),
    basis,
  ]);
  return { columns: ['device', 'latency', 'bandwidth', 'moved at once', 'basis'], rows };
}
