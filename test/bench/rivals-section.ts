/** The section `rivals` of the benchmark: its runs, and their tables. */
import { endingsOf } from '../support/solving.js';
import { benchIterations, benchPaging, compareSolvers, type EndingComparison, runCli } from './rivals.js';

export interface RivalsBench {
  readonly cli: string;
  readonly folder: string;
  readonly quick: boolean;
  readonly print: (title: string, head: string[], rows: (string | number)[][]) => void;
}

/** Buffers of 8 KiB: from the least to the most that Lake, Schaeffer & Lu (1994) name. */
const BUFFERS = [250, 500, 1000];
/** Seconds an iteration of KBNKN took one processor of a Cray Y-MP (Wendroff et al. 1993). */
const CRAY_SECONDS = 3;

/** All figures, for JSON. */
export async function benchRivals({ cli, folder, quick, print }: RivalsBench): Promise<object> {
  const run = runCli(cli);
  const fourMen = endingsOf(4);
  const show = (endings: readonly string[]): EndingComparison[] => {
    const found = endings.map((ending) => compareSolvers(run, folder, ending));
    const [first, ...others] = Object.keys(found[0].cpuSeconds);
    print(
      'The solvers in 1 GiB, DTM: the same tables, CPU seconds',
      ['ending', first, ...others, ...others.map((name) => `${name} / ${first}`)],
      found.map(({ ending, cpuSeconds }) => [
        ending,
        ...[first, ...others].map((name) => cpuSeconds[name].toFixed(2)),
        ...others.map((name) => (cpuSeconds[name] / cpuSeconds[first]).toFixed(2)),
      ]),
    );
    return found;
  };
  const solvers = show(quick ? fourMen.filter((_, i) => i % 5 === 0) : fourMen);
  if (quick) return { solvers };
  solvers.push(...show(['KBBKN']));

  const paging = await benchPaging(run, folder, 'KBBKN', BUFFERS);
  print(
    'Page buffers of 8 KiB, WDL, two bits a position (Schaeffer et al. 2003: about 500 requests a disk read)',
    ['ending', 'buffers', 'pages', 'M lookups', 'hits', 'lookups a fault', 'lookups a page read', 'CPU s'],
    paging.map((each) => [
      each.ending,
      String(each.buffers),
      String(each.pages),
      each.lookups / 1e6,
      `${(100 * each.hitRate).toFixed(3)} %`,
      each.lookupsPerFault,
      each.lookupsPerRead,
      each.cpuSeconds,
    ]),
  );

  const iterations = await benchIterations(run, folder, 'KBNKN', 'dtc');
  print(
    `Bit-parallel, one iteration; one Cray Y-MP processor took ${CRAY_SECONDS * 1000} ms (Wendroff et al. 1993)`,
    ['ending', 'metric', 'iterations', 'ms, mean', 'ms, most', 'CPU s, whole'],
    [
      [
        iterations.ending,
        iterations.metric,
        String(iterations.iterations),
        iterations.meanMs,
        iterations.mostMs,
        iterations.cpuSeconds,
      ],
    ],
  );
  return { solvers, paging, iterations };
}
