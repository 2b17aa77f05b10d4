/** Where the work in a store stands, for people. */
import type { GraphSurvey } from '../../pipeline/graph/survey.js';
import type { CrewSurvey } from '../../pipeline/steps/crew-survey.js';
import type { StepsSurvey } from '../../pipeline/steps/steps-survey.js';
import type { SliceSurvey, SolvedSurvey } from '../../pipeline/steps/survey.js';
import { storedGames } from '../registry.js';
import { byClass, type ClassOf, MANY_SLICES, total } from './classes.js';
import { duration, percent, rough, whole } from './numbers.js';
import { textTable } from './text-table.js';

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
    block('by steps', at('steps').map(stepsText)),
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
    return `${graph}  imported: ${whole(imported.nodes)} nodes, ${whole(imported.edges)} edges\n`;
  if (importing === null) return `${graph}  its import has not come to its end\n`;
  const { phase, done, total, quietMs } = importing;
  const share = total === null ? `${whole(done)} done` : percent(done, total);
  return `${graph}  not imported yet: ${list(`${phase} ${share}`, `last sign of life ${duration(quietMs)} ago`)}\n`;
}

function stepsText(slice: At<'steps'>): string {
  const { steps } = slice;
  const { tasks, attempts, problem, phase } = steps;
  const where = phase.type === 'round' ? `round ${phase.ply}` : phase.type;
  const lines = [
    list(
      `${where}: ${tasks.done} of ${tasks.tasks} tasks done`,
      tasks.done < tasks.tasks && `${tasks.running.length} running`,
      tasks.elapsedMs !== null && `${duration(tasks.elapsedMs)} in this phase`,
      tasks.remainingMs !== null && `about ${duration(tasks.remainingMs)} left of it`,
    ),
    list(
      slice.solved === null ? labelledText(steps) : `solved, ${solvedWords(slice.solved)}`,
      `${rough(steps.requests)} requests`,
      steps.requestsPerSecond !== null && `${rough(steps.requestsPerSecond)}/s`,
      steps.quietMs !== null && `last sign of life ${duration(steps.quietMs)} ago`,
    ),
  ];
  if (attempts.failed + attempts.retries > 0) {
    lines.push(`${whole(attempts.failed)} attempts failed, ${whole(attempts.retries)} were begun again`);
  }
  if (problem !== null) {
    const { phase, task, host, agoMs, what } = problem;
    lines.push(`last problem: ${phase} task ${task} on ${host}, ${duration(agoMs)} ago: ${what}`);
  }
  for (const { task, host, runningMs } of tasks.stragglers) {
    lines.push(
      `task ${task} on ${host} has been running for ${duration(runningMs)}, half of the others took less than ${duration(tasks.medianMs!)}`,
    );
  }
  return `${title(slice)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function labelledText({ labelled, indices }: StepsSurvey): string {
  return `${whole(labelled!)} positions labelled, ${percent(labelled!, indices)} of all indices`;
}

function processText(slice: At<'process'>): string {
  const { strategy, phase, round, labelled, legal, requests, quietMs } = slice.process;
  const lines = [
    list(
      phase === null ? `by the ${strategy} solver` : phaseWords(phase, round),
      legal !== null && `${whole(labelled)} positions labelled, ${percent(labelled, legal)} of the legal`,
      requests > 0 && `${rough(requests)} requests`,
      quietMs !== null && `last step ${duration(quietMs)} ago`,
    ),
  ];
  return `${title(slice)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function phaseWords(phase: NonNullable<CrewSurvey['phase']>, round: number): string {
  return phase === 'rounds' ? `rounds: ${round === 0 ? 'none' : `1 to ${round}`} committed` : phase;
}

function solvedWords({ positions, longestWin }: SolvedSurvey): string {
  const longest = longestWin === null ? 'no wins' : `longest win ${longestWin} plies`;
  return `${whole(positions)} positions, ${longest}`;
}

async function waitingTexts(slices: readonly At<'waiting'>[]): Promise<string[]> {
  if (slices.length <= MANY_SLICES) return slices.map((slice) => `${title(slice)}  for ${slice.by}\n`);
  return (await classesOf(slices)).map(
    ({ name, members }) =>
      `${name} ${members[0]!.metric}  ${whole(members.length)} slices, the first for ${members[0]!.by}\n`,
  );
}

async function solvedTable(slices: readonly At<'solved'>[]): Promise<string> {
  if (slices.length > MANY_SLICES) return solvedClasses(await classesOf(slices));
  return textTable(
    ['solved', 'metric', 'positions', 'longest win', 'verified'],
    slices.map(({ slice, metric, solved }) => [
      slice,
      metric,
      whole(solved.positions),
      solved.longestWin?.toString() ?? '-',
      solved.verified ? 'yes' : 'no',
    ]),
  );
}

function solvedClasses(classes: readonly ClassOf<At<'solved'>>[]): string {
  return textTable(
    ['solved', 'slices', 'metric', 'positions', 'longest win', 'verified'],
    classes.map(({ name, members }) => {
      const longest = members.map(({ solved }) => solved.longestWin).filter((plies) => plies !== null);
      const verified = members.filter(({ solved }) => solved.verified).length;
      return [
        name,
        whole(members.length),
        members[0]!.metric,
        whole(total(members, ({ solved }) => solved.positions)),
        longest.length === 0 ? '-' : String(Math.max(...longest)),
        verified === members.length ? 'yes' : verified === 0 ? 'no' : `${verified} of them`,
      ];
    }),
  );
}

/** The classes of each game under each metric. */
async function classesOf<T extends SliceSurvey>(slices: readonly T[]): Promise<ClassOf<T>[]> {
  const games = await storedGames();
  const apart = new Map<string, T[]>();
  for (const slice of slices) {
    const key = `${slice.game} ${slice.metric}`;
    apart.set(key, [...(apart.get(key) ?? []), slice]);
  }
  return [...apart.values()].flatMap((same) => byClass(games.get(same[0]!.game)!, same));
}

const list = (...parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false).join(', ');
