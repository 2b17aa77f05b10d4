/** `mergemate study`: the moves of studies and games, held against the tables. */
import { UserError } from '../../operators/core/errors.js';
import { complain, ExitCode } from '../exit.js';
import { createOutput } from '../export/output-file.js';
import { type LookupFlags, openProber } from '../open-prober.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { annotated } from '../study/annotate.js';
import { checkStudy, lookupOf } from '../study/check-study.js';
import { PDN } from '../study/read-pdn.js';
import { readStudies } from '../study/read-studies.js';
import { findingOf, studyText } from '../ui/study-text.js';

interface StudyFlags extends LookupFlags {
  readonly men: number;
  readonly game: 'chess' | 'checkers';
  readonly out?: string;
  readonly force?: boolean;
}

/** Reasons that are printed; more are only counted. */
const REASONS_SHOWN = 3;

export async function runStudy(path: string, flags: StudyFlags): Promise<void> {
  const game = await findGame(flags.game);
  const { prober } = await openProber(game, flags);
  const output = flags.out === undefined ? null : await createOutput(flags.out, flags.force === true);
  const reasons = new Set<string>();
  const lookup = lookupOf(game, prober, flags.men, (why) => reasons.add(why));
  let studies = 0;
  let unread = 0;
  try {
    for await (const read of readStudies(path, flags.game === 'checkers' ? PDN : undefined)) {
      if ('problem' in read) {
        unread++;
        complain(read.problem);
        await output?.write([Buffer.from(read.text)]);
        continue;
      }
      const checked = await checkStudy(read.study, lookup);
      if (flags.json) await printJson(checked);
      else await print(`${studies === 0 ? '' : '\n'}${studyText(checked, prober.metric, game)}`);
      await output?.write([Buffer.from(annotated(read.study, checked.moves, findingOf))]);
      studies++;
      await breathe();
    }
    await output?.close();
  } catch (error) {
    await output?.abort();
    throw error;
  }
  if (studies + unread === 0) throw new UserError(`${path}: no game and no position is in it`);
  tellReasons(reasons);
  if (unread > 0) process.exitCode = ExitCode.failed;
}

function tellReasons(reasons: ReadonlySet<string>): void {
  for (const why of [...reasons].slice(0, REASONS_SHOWN)) complain(why);
  if (reasons.size > REASONS_SHOWN) complain(`and ${reasons.size - REASONS_SHOWN} more reasons of this kind`);
}
