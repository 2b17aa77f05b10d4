/** The report for the terminal. */
import { bytes, duration, rough, whole } from '../ui/numbers.js';
import { textTable } from '../ui/text-table.js';
import { describeDisagreement, fastest, MEASURED_COLUMNS, size } from './comparison-text.js';
import { ioTotals } from './io-counts.js';
import type { Report } from './report.js';
import { solvers } from './solvers.js';

export function reportText(report: Report): string {
  const { ending, metric, tableBytes, positions, disagreements, solved } = report;
  const head =
    tableBytes === null
      ? `${ending}, ${metric}: no solver could work`
      : `${ending}, ${metric}: ${whole(positions!)} positions, a table of ${size(tableBytes)}`;
  const verdict =
    disagreements.length > 0
      ? disagreements.map((each) => `DIFFERENT: ${describeDisagreement(each)}\n`).join('')
      : solved.length > 1
        ? `All ${solved.length} tables are identical, position by position (SHA-256 ${solved[0].measured.digests[0].slice(0, 12)}…, ${solved[0].measured.digests[1].slice(0, 12)}…).\n`
        : '';
  const tables =
    solved.length === 0
      ? ''
      : `Measured, and I/O as counted:\n${measuredTable(report)}\nModelled time (CPU as measured + I/O computed):\n${modelledTable(report)}\n`;
  const unable = report.unable.map(
    ({ solver, memory, reason }) => `${solvers[solver].title} at ${size(memory)} cannot run: ${reason}\n`,
  );
  const notes = report.notes.map((note) => `- ${note}\n`).join('');
  return `${head}\n\n${tables}${unable.join('')}${unable.length > 0 ? '\n' : ''}${verdict}\n${notes}`;
}

function measuredTable({ memories, solved }: Report): string {
  const rows = memories.flatMap((memory) =>
    solved
      .filter((run) => run.memory === memory)
      .map(({ solver, measured: m }) => {
        const { all, random } = ioTotals(m.io);
        return [
          solvers[solver].title,
          size(memory),
          duration(m.wallMs),
          duration(m.cpuMs),
          bytes(m.peakRssBytes),
          bytes(m.io.read.sequential.bytes),
          bytes(m.io.read.random.bytes),
          bytes(m.io.written.sequential.bytes),
          bytes(m.io.written.random.bytes),
          whole(all.operations),
          whole(random.operations),
          m.pageFaults === null ? '-' : whole(m.pageFaults),
          rough(m.requests),
        ];
      }),
  );
  return textTable(MEASURED_COLUMNS, rows);
}

function modelledTable({ memories, solved, devices }: Report): string {
  const header = ['solver', 'memory', ...devices.map(({ title }) => title)];
  const rows = memories.flatMap((memory) => {
    const here = solved.filter((run) => run.memory === memory);
    const best = devices.map((_, i) => fastest(here, (run) => run.modelled[i].totalMs));
    return here.map((run) => [
      solvers[run.solver].title,
      size(memory),
      ...run.modelled.map(
        ({ totalMs }, i) => `${here.length > 1 && best[i] === run ? '* ' : ''}${duration(totalMs)}`,
      ),
    ]);
  });
  return `${textTable(header, rows)}* fastest in this budget\n`;
}
