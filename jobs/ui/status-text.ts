/** Text of the state of the work in a store. */
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { GraphSurvey } from '../../pipeline/graph/survey.js';
import type {
  RanksSurvey,
  SliceSurvey,
  SolvedSurvey,
  WorkSurvey,
} from '../../pipeline/tables/records/survey.js';
import { storedGames } from '../registry.js';
import { byClass, type ClassOf, MANY_SLICES, total } from './classes.js';
import { tableText } from './document.js';
import { bytes, count, duration, percent, rough, whole } from './numbers.js';
import { pliesText, problemText } from './verdict.js';

type At<T extends SliceSurvey['at']> = Extract<SliceSurvey, { at: T }>;

/** `store` is how messages call it; ends with a newline. */
export async function statusText(
  store: string,
  slices: readonly SliceSurvey[],
  graphs: readonly GraphSurvey[] = [],
): Promise<string> {
  const at = <T extends SliceSurvey['at']>(which: T) =>
    slices.filter((slice): slice is At<T> => slice.at === which);
  const solved = at('solved');
  const blocks = [
    block('graphs', graphs.map(graphText)),
    block('by ranks', at('ranks').map(ranksText)),
    block('in one process', at('process').map(processText)),
    block('waiting', await waitingTexts(at('waiting'))),
    block(
      'damaged',
      at('damaged').map((slice) => `${title(slice)}  ${slice.problem}\n`),
    ),
    solved.length === 0 ? '' : await solvedTable(solved),
  ].filter((text) => text !== '');
  return blocks.length === 0
    ? `${store}: nothing solved, nothing begun\n`
    : `${store}\n\n${blocks.join('\n')}`;
}

const title = ({ slice, metric }: SliceSurvey): string => `${slice} ${metric}`;

const block = (heading: string, texts: readonly string[]): string =>
  texts.length === 0 ? '' : `${heading}\n${texts.join('').replace(/^(?=.)/gm, '  ')}`;

function graphText({ graph, imported, importing }: GraphSurvey): string {
  if (imported !== null)
    return `${graph}  imported: ${count(imported.nodes, 'node')}, ${count(imported.edges, 'edge')}\n`;
  if (importing === null) return `${graph}  its import has not come to its end\n`;
  const { phase, done, total, quietMs } = importing;
  const share = total === null ? `${whole(done)} done` : percent(done, total);
  return `${graph}  not imported yet: ${list(`${phase} ${share}`, `last sign of life ${duration(quietMs)} ago`)}\n`;
}

function ranksText(slice: At<'ranks'>): string {
  const { ranks, solved } = slice;
  const { step, partitions, seen, peakRss } = ranks;
  const hosts = new Set(seen.map(({ host }) => host));
  const lines = [
    `${ranks.phase === 'rounds' ? `round ${ranks.round + 1}` : ranks.phase}: ${list(
      `${step.done.length} of ${partitions} partitions done`,
      step.done.length > 0 && waitingText(ranks),
    )}`,
    list(
      ...(solved === null ? labelledTexts(ranks) : [`solved, ${solvedWords(slice.metric, solved)}`]),
      ranks.quietMs !== null && `last sign of life ${duration(ranks.quietMs)} ago`,
    ),
  ];
  if (seen.length > 0) {
    const most = peakRss === null ? '' : `, at most ${bytes(peakRss)} resident`;
    lines.push(`${count(seen.length, 'rank')} on ${count(hosts.size, 'host')}${most}`);
  }
  return blockOf(slice, lines);
}

/** Missing partitions that are named. */
const NAMED = 8;

/** Text on the ranks that all wait for. */
function waitingText({ step, seen }: RanksSurvey): string | false {
  if (step.missing.length === 0) return false;
  const names = step.missing.slice(0, NAMED).map((partition) => {
    const by = seen.find(({ partitions }) => partitions.includes(partition));
    return by === undefined ? String(partition) : `${partition} (rank ${by.rank} on ${by.host})`;
  });
  const more = step.missing.length > NAMED ? ` and ${whole(step.missing.length - NAMED)} more` : '';
  return `waiting for ${names.join(', ')}${more}`;
}

function processText(slice: At<'process'>): string {
  const { strategy, phase, round, quietMs } = slice.process;
  return blockOf(slice, [
    list(
      phase === null ? `by the ${strategy} solver` : phaseWords(phase, round),
      ...labelledTexts(slice.process),
      quietMs !== null && `last step ${duration(quietMs)} ago`,
    ),
  ]);
}

const blockOf = (slice: SliceSurvey, lines: readonly string[]): string =>
  `${title(slice)}\n${lines
    .filter((line) => line !== '')
    .map((line) => `  ${line}\n`)
    .join('')}`;

function labelledTexts({ labelled, legal, requests }: WorkSurvey): (string | false)[] {
  return [
    legal !== null && `${whole(labelled)} positions labelled, ${percent(labelled, legal)} of the legal`,
    requests > 0 && `${rough(requests)} requests`,
  ];
}

function phaseWords(phase: NonNullable<WorkSurvey['phase']>, round: number): string {
  return phase === 'rounds' ? `rounds: ${round === 0 ? 'none' : `1 to ${round}`} committed` : phase;
}

function solvedWords(metric: Metric, { positions, longestWin }: SolvedSurvey): string {
  const isProblem = stipulations[metric].numbers;
  const none = isProblem ? 'no solution' : 'no wins';
  const longest =
    longestWin === null
      ? none
      : isProblem
        ? `longest ${problemText({ plies: longestWin }, metric)}`
        : `longest win ${pliesText(longestWin)}`;
  return `${whole(positions)} positions, ${longest}`;
}

async function waitingTexts(slices: readonly At<'waiting'>[]): Promise<string[]> {
  if (slices.length <= MANY_SLICES) return slices.map((slice) => `${title(slice)}  for ${slice.by}\n`);
  return (await classesOf(slices)).map(
    ({ name, members }) =>
      `${name} ${members[0].metric}  ${whole(members.length)} slices, the first for ${members[0].by}\n`,
  );
}

async function solvedTable(slices: readonly At<'solved'>[]): Promise<string> {
  if (slices.length > MANY_SLICES) return solvedClasses(await classesOf(slices));
  return tableText({
    columns: ['solved', 'metric', 'positions', 'longest win', 'verified'],
    rows: slices.map(({ slice, metric, solved }) => [
      slice,
      metric,
      whole(solved.positions),
      solved.longestWin?.toString() ?? '-',
      solved.verified ? 'yes' : 'no',
    ]),
  });
}

function solvedClasses(classes: readonly ClassOf<At<'solved'>>[]): string {
  return tableText({
    columns: ['solved', 'slices', 'metric', 'positions', 'longest win', 'verified'],
    rows: classes.map(({ name, members }) => {
      const longest = members.map(({ solved }) => solved.longestWin).filter((plies) => plies !== null);
      const verified = members.filter(({ solved }) => solved.verified).length;
      return [
        name,
        whole(members.length),
        members[0].metric,
        whole(total(members, ({ solved }) => solved.positions)),
        longest.length === 0 ? '-' : String(Math.max(...longest)),
        verified === members.length ? 'yes' : verified === 0 ? 'no' : `${verified} of them`,
      ];
    }),
  });
}

/** The classes of each game under each metric. */
async function classesOf<T extends SliceSurvey>(slices: readonly T[]): Promise<ClassOf<T>[]> {
  const games = await storedGames();
  const grouped = new Map<string, T[]>();
  for (const slice of slices) {
    const key = `${slice.game} ${slice.metric}`;
    grouped.set(key, [...(grouped.get(key) ?? []), slice]);
  }
  return [...grouped.values()].flatMap((same) => byClass(games.get(same[0].game)!, same));
}

const list = (...parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false).join(', ');
