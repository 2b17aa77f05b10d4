/** Progress as text. */
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { GraphSurvey } from '../../pipeline/graph/survey.js';
import { storedGames } from '../registry.js';
import { byClass, type ClassOf, MANY_SLICES, total } from '../ui/classes.js';
import { tableText } from '../ui/document.js';
import { bytes, count, duration, rough, whole } from '../ui/numbers.js';
import { pliesText, problemText } from '../ui/verdict.js';
import type { Progress, SliceDetail } from './model.js';
import { paceWords, progressWords, stepWords } from './words.js';

/** Ends with a newline. */
export async function statusText({ store, at, slices, graphs }: Progress): Promise<string> {
  const solved = slices.filter(({ state, ranks }) => isSolved(state) && ranks === null);
  const open = slices.filter(
    ({ state, ranks }) => state === 'working' || state === 'begun' || ranks !== null,
  );
  const waiting = slices.filter(({ state, neededBy }) => state === 'waiting' && neededBy !== null);
  const damaged = slices.filter(({ state }) => state === 'damaged');
  // The import of a graph that is at work is a phase of its slice.
  const shown = graphs.filter(
    ({ graph, imported }) => imported !== null || !open.some(({ slice }) => slice === graph),
  );
  const blocks = [
    block('graphs', shown.map(graphText)),
    block(
      'by ranks',
      open.flatMap((slice) => (slice.ranks === null ? [] : openText(slice, at))),
    ),
    block(
      'in one process',
      open.flatMap((slice) => (slice.ranks === null ? openText(slice, at) : [])),
    ),
    block('waiting', await waitingTexts(waiting)),
    block(
      'damaged',
      damaged.map((slice) => `${title(slice)}  ${slice.problem}\n`),
    ),
    solved.length === 0 ? '' : await solvedTable(solved),
  ].filter((text) => text !== '');
  return blocks.length === 0
    ? `${store}: nothing solved, nothing begun\n`
    : `${store}\n\n${blocks.join('\n')}`;
}

const isSolved = (state: SliceDetail['state']): boolean => state === 'solved' || state === 'verified';
const title = ({ slice, metric }: SliceDetail): string => `${slice} ${metric}`;

const block = (heading: string, texts: readonly string[]): string =>
  texts.length === 0 ? '' : `${heading}\n${texts.join('').replace(/^(?=.)/gm, '  ')}`;

function graphText({ graph, imported }: GraphSurvey): string {
  if (imported === null) return `${graph}  import unfinished\n`;
  return `${graph}  imported: ${count(imported.nodes, 'node')}, ${count(imported.edges, 'edge')}\n`;
}

/** A slice that is not at its end, by one process or by ranks. */
function openText(slice: SliceDetail, now: number): string {
  const { ranks, current, phase, state, requests, lastAt, strategy, problem } = slice;
  const step = phase === null || current === null ? null : { ...slice, phase, current };
  const figures = [
    isSolved(state) && `solved, ${solvedWords(slice)}`,
    requests !== null && requests > 0 && `${rough(requests)} requests`,
    lastAt !== null && `last sign of life ${duration(Math.max(0, now - lastAt))} ago`,
  ];
  const lines =
    ranks === null
      ? [
          list(
            step === null ? `by ${strategy === null ? 'a' : `the ${strategy}`} solver` : progressWords(step),
            ...figures,
          ),
        ]
      : [
          ranksText(slice, ranks),
          list(...(step === null || step.round === null ? [] : paceWords(step)), ...figures),
        ];
  if (ranks !== null && ranks.seen.length > 0) lines.push(seenText(slice, ranks));
  if (problem !== null) lines.push(problem);
  return `${title(slice)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

type Ranks = NonNullable<SliceDetail['ranks']>;

/** Missing partitions that are named. */
const NAMED = 8;

function ranksText(slice: SliceDetail, { partitions, done, missing, step }: Ranks): string {
  const names = missing
    .slice(0, NAMED)
    .map(({ partition, rank, host }) =>
      rank === null ? partition : `${partition} (rank ${rank} on ${host})`,
    );
  const more = missing.length > NAMED ? ` and ${whole(missing.length - NAMED)} more` : '';
  const waiting = done > 0 && missing.length > 0 && `waiting for ${names.join(', ')}${more}`;
  const at = slice.round === null ? (slice.phase ?? step) : stepWords(slice);
  return `${at}: ${list(`${done} of ${partitions} partitions done`, waiting)}`;
}

function seenText({ peakRss }: SliceDetail, { seen }: Ranks): string {
  const hosts = new Set(seen.map(({ host }) => host));
  const most = peakRss === null ? '' : `, at most ${bytes(peakRss)} resident`;
  return `${count(seen.length, 'rank')} on ${count(hosts.size, 'host')}${most}`;
}

function solvedWords({ metric, positions, longestWin }: SliceDetail): string {
  const isProblem = stipulations[metric].numbers;
  const none = isProblem ? 'no solution' : 'no wins';
  const longest =
    longestWin === null
      ? none
      : isProblem
        ? `longest ${problemText({ plies: longestWin }, metric)}`
        : `longest win ${pliesText(longestWin)}`;
  return `${whole(positions ?? 0)} positions, ${longest}`;
}

async function waitingTexts(slices: readonly SliceDetail[]): Promise<string[]> {
  if (slices.length <= MANY_SLICES) return slices.map((slice) => `${title(slice)}  for ${slice.neededBy}\n`);
  return (await classesOf(slices)).map(
    ({ name, members }) =>
      `${name} ${members[0].metric}  ${whole(members.length)} slices, the first for ${members[0].neededBy}\n`,
  );
}

async function solvedTable(slices: readonly SliceDetail[]): Promise<string> {
  if (slices.length > MANY_SLICES) return solvedClasses(await classesOf(slices));
  return tableText({
    columns: ['solved', 'metric', 'positions', 'longest win', 'verified'],
    rows: slices.map(({ slice, metric, positions, longestWin, state }) => [
      slice,
      metric,
      whole(positions ?? 0),
      longestWin?.toString() ?? '-',
      state === 'verified' ? 'yes' : 'no',
    ]),
  });
}

function solvedClasses(classes: readonly ClassOf<SliceDetail>[]): string {
  return tableText({
    columns: ['solved', 'slices', 'metric', 'positions', 'longest win', 'verified'],
    rows: classes.map(({ name, members }) => {
      const longest = members.map(({ longestWin }) => longestWin).filter((plies) => plies !== null);
      const verified = members.filter(({ state }) => state === 'verified').length;
      return [
        name,
        whole(members.length),
        members[0].metric,
        whole(total(members, ({ positions }) => positions ?? 0)),
        longest.length === 0 ? '-' : String(Math.max(...longest)),
        verified === members.length ? 'yes' : verified === 0 ? 'no' : `${verified} of them`,
      ];
    }),
  });
}

/** The classes of each game under each metric. */
async function classesOf(slices: readonly SliceDetail[]): Promise<ClassOf<SliceDetail>[]> {
  const games = await storedGames();
  const grouped = new Map<string, SliceDetail[]>();
  for (const slice of slices) {
    const key = `${slice.game} ${slice.metric}`;
    grouped.set(key, [...(grouped.get(key) ?? []), slice]);
  }
  return [...grouped.values()].flatMap((same) => byClass(games.get(same[0].game)!, same));
}

const list = (...parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false).join(', ');
