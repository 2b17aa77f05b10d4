/** Has publications made and verified, and prints the result. */
import type { Game } from '../../pipeline/game/game.js';
import { publishedAs, stipulations } from '../../pipeline/game/stipulation.js';
import { decodeValue, type Metric } from '../../pipeline/game/value.js';
import type { CodecName } from '../../pipeline/tables/codec/codec.js';
import { complain, ExitCode, endWith, sayWhenInterrupted } from '../cli/exit.js';
import type { MetricOptions } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { coordinate } from '../engines/coordinator.js';
import type { PublicationResult, PublicationTask } from '../engines/protocol.js';
import { newDisplay } from '../progress/display.js';
import { referenceOf } from '../registry.js';
import { whole } from '../ui/numbers.js';
import { publicationTable } from '../ui/publication-text.js';
import { numberText, problemText } from '../ui/verdict.js';

/** Options of `mergemate publish`. */
export interface PublishFlags extends MetricOptions {
  readonly to: string;
  readonly codec?: CodecName;
  readonly pieces?: number;
  readonly oneSide?: boolean;
  readonly verify: boolean;
  readonly verifyBy?: 'moves' | 'tables';
}

export async function publication(
  game: Game,
  asked: Omit<PublicationTask, 'kind' | 'game' | 'scratchFolder'>,
  json: boolean,
): Promise<void> {
  const task = { ...asked, kind: 'publish', game: referenceOf(game), scratchFolder: '' } as const;
  sayWhenInterrupted(
    asked.codec === null
      ? 'nothing was changed'
      : 'the publication is not finished and does not answer: the same command goes on',
  );
  const display = await newDisplay(asked.slices, json);
  let failed = true;
  try {
    const published = await coordinate(task, display.listen);
    failed = false;
    await display.close(false);
    await report(game, task, published, json);
  } finally {
    if (failed) await display.close(true);
  }
}

/** "win"; of problems "h#3, 2 solutions". */
function outcomeText(code: number, number: number | undefined, metric: Metric): string {
  const value = decodeValue(code, metric);
  return stipulations[metric].numbers ? problemText({ ...value, number }, metric) : value.wdl;
}

async function report(
  game: Game,
  task: PublicationTask,
  { catalogue, found, verified }: PublicationResult,
  json: boolean,
): Promise<void> {
  const { codec, codebooks, files, metric } = catalogue;
  const wrong = verified?.wrong ?? 0;
  if (json) {
    const checked = verified === null ? null : { positions: verified.positions, wrong };
    const made = task.codec === null ? {} : { found, codebooks, files };
    await printJson({ game: game.name, metric, published: task.to, codec, ...made, verified: checked });
  } else {
    if (task.codec !== null) {
      await print(
        `${task.to}${found ? ' (was there)' : ''}, codec ${codec}\n\n${publicationTable(catalogue)}\n`,
      );
    }
    if (verified !== null && wrong === 0) {
      await print(
        `${whole(verified.positions)} stored values checked by ${task.verify === 'tables' ? 'the tables' : 'the moves of their positions'}, all are right\n`,
      );
    }
  }
  if (verified === null || wrong === 0) return;
  const words = (code: number | null, number: number | undefined) =>
    code === null ? numberText(number!, metric) : outcomeText(code, number, publishedAs(metric));
  for (const { slice, side, fen, stored, derived, numbers } of verified.mismatches) {
    complain(
      `${slice}, ${game.colours[side]} to move (${fen}): the file says ${words(stored, numbers?.stored)}, ${task.verify === 'tables' ? 'the table says' : 'moves give'} ${words(derived, numbers?.derived)}`,
    );
  }
  complain(`${whole(wrong)} of ${whole(verified.positions)} stored values are wrong`);
  endWith(ExitCode.no);
}
