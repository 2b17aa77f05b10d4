/** `mergemate study`: the moves of studies and games, held against the tables. */
import { UserError } from '../../operators/core/errors.js';
import { newOnce } from '../../operators/core/once.js';
import type { Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { type Metric, PUBLISHED_METRIC, publishedAs } from '../../pipeline/game/stipulation.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { errorText } from '../cli/error-text.js';
import { complain, ExitCode, endWith } from '../cli/exit.js';
import { breathe, print, printJson } from '../cli/output.js';
import { createOutput, standardOutput } from '../export/output-file.js';
import type { Study } from '../notation/read-game.js';
import { PDN } from '../notation/read-pdn.js';
import { readStudies } from '../notation/read-studies.js';
import { findGame } from '../registry.js';
import { growHeap } from '../runtime/heap.js';
import { openRoots } from '../solved/open.js';
import { type LookupFlags, openLookup, openPublished, tableSource } from '../solved/open-prober.js';
import type { ProblemTables } from '../solved/problem-tables.js';
import { outcomeBy, stipulationOf } from '../study/aim.js';
import { annotated, NO_FINDINGS } from '../study/annotate.js';
import { aimOf, checkProblem } from '../study/check-problem.js';
import { checkStudy } from '../study/check-study.js';
import { checkedProblemText } from '../study/problem-text.js';
import { studyText } from '../study/study-text.js';
import { TableLookup } from '../study/table-lookup.js';

interface StudyFlags extends LookupFlags {
  readonly men: number;
  readonly game: 'chess' | 'checkers';
  readonly out?: string;
  readonly force?: boolean;
  readonly replies?: boolean;
}

/** Reasons that are printed; more are only counted. */
const REASONS_SHOWN = 3;

export async function runStudy(path: string, flags: StudyFlags): Promise<void> {
  growHeap();
  const game = await findGame(flags.game);
  // Published files may be of problems alone, so those of outcomes are opened when a study needs them.
  let tables = flags.published === undefined ? await openTables(game, flags) : null;
  const isPiped = flags.out === '-';
  if (isPiped && flags.json)
    throw new UserError('--out - and --json both write to standard output: give --out FILE');
  const output = isPiped
    ? standardOutput
    : flags.out === undefined
      ? null
      : await createOutput(flags.out, flags.force === true);
  /** Findings stand in the games that go to standard output. */
  const tell = isPiped ? async () => {} : print;
  let studies = 0;
  let unread = 0;
  const tablesOf = newProblemTables(game, flags);
  /** What the command prints of a problem; null if it cannot be checked, which is told. */
  const problemOf = async (study: Study, stipulation: string): Promise<string | null> => {
    try {
      const aim = aimOf(study, stipulation);
      const checked = await checkProblem(study, stipulation, aim, await tablesOf(aim.metric, study.fen));
      return flags.json ? `${JSON.stringify(checked)}\n` : checkedProblemText(checked);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      complain(`${study.place}: ${errorText(error)}`);
      return null;
    }
  };
  try {
    for await (const read of readStudies(path, flags.game === 'checkers' ? PDN : undefined)) {
      if ('problem' in read) {
        if (read.problem !== null) {
          unread++;
          complain(read.problem);
        }
        await output?.write([Buffer.from(read.text)]);
        continue;
      }
      const stipulation = stipulationOf(read.study);
      if (stipulation !== null && outcomeBy(stipulation) === undefined && flags.game === 'chess') {
        const text = await problemOf(read.study, stipulation);
        if (text === null) unread++;
        else {
          await tell(studies > 0 && !flags.json ? `\n${text}` : text);
          studies++;
        }
        await output?.write([Buffer.from(annotated(read.study, NO_FINDINGS))]);
        continue;
      }
      tables ??= await openTables(game, flags);
      const checked = await checkStudy(read.study, tables.forStudy(read.study.place));
      if (flags.json) await printJson(checked);
      else
        await tell(
          `${studies === 0 ? '' : '\n'}${studyText(checked, game, flags.men, flags.replies === true)}`,
        );
      await output?.write([Buffer.from(annotated(read.study, checked, flags.replies === true))]);
      studies++;
      await breathe();
    }
    await output?.close();
  } catch (error) {
    await output?.abort();
    throw error;
  }
  if (studies + unread === 0) throw new UserError(`${path}: it contains neither a game nor a position`);
  if (tables !== null) tellReasons(await tables.reasons());
  if (unread > 0) endWith(ExitCode.failed);
}

/** Returns a function that finds the tables that answer for a problem, published ones where these are asked for, and opens those of a metric once. */
function newProblemTables(game: Game, flags: StudyFlags) {
  const once = newOnce<Metric, Awaited<ReturnType<typeof openProblems>>>();
  return async (metric: Metric, fen: string): Promise<ProblemTables> => {
    const { ofEndings, roots } = await once(metric, () => openProblems(game, flags, metric));
    return (await roots?.problemTables(fen)) ?? ofEndings;
  };
}

async function openProblems(game: Game, flags: StudyFlags, metric: Metric) {
  const { store, cache, published } = flags;
  const named = namedFor(game, metric);
  if (published !== undefined && publishedAs(metric) === metric) {
    const [{ prober }] = await openPublished(game, { published, metric, cache });
    return { ofEndings: { game: named, prober }, roots: null };
  }
  const source = tableSource(flags);
  const prober = newProber({ game: named, metric, store: source.store, cache: source.cache });
  return {
    ofEndings: { game: named, prober },
    roots: await openRoots(game, game.name, { store, cache, metric }, source),
  };
}

/** Tables under the metric that was asked for; unless one was, under all metrics of the game. */
async function openTables(game: Game, flags: StudyFlags): Promise<TableLookup> {
  const { metric = null, men } = flags;
  const isInStore = flags.published === undefined && flags.syzygy === undefined;
  const source = isInStore ? tableSource(flags) : null;
  // Publications of problems judge no moves.
  const published = metric ?? (flags.syzygy === undefined ? PUBLISHED_METRIC : undefined);
  const asked = source === null && published !== undefined ? { ...flags, metric: published } : flags;
  const { probers } = await openLookup(game, asked, source ?? undefined);
  return new TableLookup({
    game,
    probers,
    store: source?.store ?? null,
    metric: metric === null ? null : probers[0].metric,
    men,
    roots: source !== null && game.name === 'chess' ? await openRoots(game, game.name, flags, source) : null,
  });
}

function tellReasons(reasons: readonly string[]): void {
  for (const why of reasons.slice(0, REASONS_SHOWN)) complain(why);
  if (reasons.length > REASONS_SHOWN)
    complain(`and ${reasons.length - REASONS_SHOWN} more reasons of this kind`);
}
