/** The report as one page that needs nothing else: no script, no network. */
import { bytes, duration, rough, whole } from '../ui/numbers.js';
import { STYLE } from '../ui/page-style.js';
import { safe } from '../ui/safe-html.js';
import { type Chart, countText, drawChart, drawKey } from './chart.js';
import { describeDisagreement, fastest, MEASURED_COLUMNS, size } from './comparison-text.js';
import { ioTotals } from './io-counts.js';
import type { Report, SolvedRun } from './report.js';
import { solverNames, solvers } from './solvers.js';

export function reportPage(report: Report): string {
  const { ending, metric, command, positions, tableBytes, notes } = report;
  const what =
    tableBytes === null ? '' : `${whole(positions!)} positions, a table of ${size(tableBytes)} (${metric}).`;
  const body = [
    `<h1>${safe(ending)}: the solvers compared</h1>`,
    `<p>${what}</p>`,
    verdict(report),
    `<p class="soft">Made by <code>${safe(command)}</code></p>`,
    report.solved.length === 0 ? '' : charts(report),
    '<h2>Measured time and memory, counted I/O</h2>',
    measuredTable(report),
    '<h2>Modelled time <span class="origin">CPU as measured, I/O computed</span></h2>',
    modelledTable(report),
    '<h2>The devices of the model</h2>',
    deviceTable(report),
    `<h2>How to read this</h2><ul>${notes.map((note) => `<li>${safe(note)}</li>`).join('')}</ul>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${safe(ending)}: the solvers compared</title><style>${STYLE}</style></head>
<body><main>
${body.join('\n')}
</main></body></html>
`;
}

function verdict({ disagreements, solved }: Report): string {
  if (disagreements.length > 0)
    return disagreements.map((each) => `<p class="alarm">${safe(describeDisagreement(each))}</p>`).join('');
  if (solved.length < 2) return '<p>One table only: there is nothing to hold it against.</p>';
  return `<p>All ${solved.length} tables are identical, position by position (SHA-256 of all values).</p>`;
}

function charts(report: Report): string {
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
  const figures = all
    .map(
      (chart) =>
        `<figure><h3>${safe(chart.title)} <span class="origin">${chart.origin}</span></h3>${drawChart(chart)}</figure>`,
    )
    .join('\n');
  return `<h2>Against the memory budget <span class="origin">both axes logarithmic; dashed lines are modelled; a figure of 0 is drawn at 1</span></h2>
<ul class="legend">${legend}</ul><div class="charts">${figures}</div>`;
}

/** Powers of ten, as seconds. @param ms at least 1 */
function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${whole(ms / 1000)} s`;
}

type Cell = string | { readonly text: string; readonly best: boolean };

function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cell = (each: Cell): string =>
    typeof each === 'string'
      ? `<td>${safe(each)}</td>`
      : `<td${each.best ? ' class="best"' : ''}>${safe(each.text)}</td>`;
  const head = header.map((text) => `<th>${safe(text)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n');
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function measuredTable({ memories, solved, unable }: Report): string {
  const rows = memories.flatMap((memory) =>
    solved
      .filter((run) => run.memory === memory)
      .map(({ solver, measured }) => {
        const { io, wallMs, cpuMs, peakRssBytes, pageFaults, requests } = measured;
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
  const cannot = unable
    .map(
      ({ solver, memory, reason }) =>
        `<p class="soft">${solvers[solver].title} at ${size(memory)} cannot run: ${safe(reason)}</p>`,
    )
    .join('');
  return table(MEASURED_COLUMNS, rows) + cannot;
}

function modelledTable({ memories, solved, devices }: Report): string {
  const rows = memories.flatMap((memory) => {
    const here = solved.filter((run) => run.memory === memory);
    const best = devices.map((_, i) => fastest(here, (run) => run.modelled[i].totalMs));
    return here.map((run): Cell[] => [
      solvers[run.solver].title,
      size(memory),
      ...run.modelled.map(({ totalMs }, i) => ({ text: duration(totalMs), best: best[i] === run })),
    ]);
  });
  return `${table(['solver', 'memory', ...devices.map(({ title }) => title)], rows)}<p class="soft">Bold: the fastest in its budget.</p>`;
}

function deviceTable({ devices }: Report): string {
  const rows = devices.map((device) => [
    device.title,
    `${device.latencyMs} ms`,
    `${device.bandwidth / 1e6} MB/s`,
    size(device.transfer),
    device.basis,
  ]);
  return table(['device', 'latency', 'bandwidth', 'moved at once', 'basis'], rows);
}
