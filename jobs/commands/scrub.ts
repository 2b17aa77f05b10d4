/** `mergemate scrub`: reads everything in a store or a publication, and lists damaged objects. */
import { type Consequence, consequencesOf, type Remake } from '../../pipeline/share/scrub/consequences.js';
import { type Repaired, repair } from '../../pipeline/share/scrub/repair.js';
import { scrub } from '../../pipeline/share/scrub/scrub.js';
import { metricFlag } from '../cli/error-text.js';
import { complain, ExitCode, endWith, sayWhenInterrupted } from '../cli/exit.js';
import { breathe, print, printJson } from '../cli/output.js';
import { SeldomLines } from '../progress/display.js';
import { repairing } from '../run/solve-again.js';
import { storeToRead } from '../stores.js';
import { bytes, count, duration } from '../ui/numbers.js';
import type { GcFlags } from './gc.js';
import { namedGames } from './named-games.js';

interface ScrubFlags extends GcFlags {
  readonly repair?: boolean;
  readonly memory: number;
  readonly workers: number;
}

export async function runScrub(words: readonly string[], flags: ScrubFlags): Promise<void> {
  if (flags.collect === true || flags.remove !== undefined)
    return (await import('./gc.js')).runGc(words, flags);
  const { games, graphs } = await namedGames(words, flags.store);
  const store = storeToRead(flags.store);
  sayWhenInterrupted('nothing was changed');
  const began = performance.now();
  const found = await scrub({ store, games, report: newReport() });
  const wallMs = performance.now() - began;
  const { objects, bytes: read, unnamed, foreign, remarks } = found;
  const consequences = consequencesOf(found.damaged, await store.list(''), games);
  const repaired =
    flags.repair === true && consequences.length > 0
      ? await repair(store, consequences, repairing({ ...flags, uri: flags.store, graphs }))
      : [];
  const left = consequences.filter(({ name }) => !repaired.some((one) => one.name === name));
  if (flags.json) {
    const damaged = consequences.map(({ name, problem, dependents, remake }) => ({
      name,
      problem,
      dependents,
      run: remake && commandOf(remake, flags.store, words),
      repaired: repaired.some((one) => one.name === name),
    }));
    await printJson({ store: store.uri, objects, bytes: read, wallMs, unnamed, foreign, damaged, remarks });
  } else {
    const speed = `${bytes(Math.round((1000 * read) / Math.max(1, wallMs)))}/s`;
    const garbage =
      unnamed === 0 ? '' : `, ${count(unnamed, 'run')} that nothing names ("mergemate scrub --collect")`;
    const others = foreign === 0 ? '' : `, ${count(foreign, 'object')} of no game that is looked at`;
    const head = `${count(objects, 'object')}, ${bytes(read)} read in ${duration(wallMs)} (${speed})${garbage}${others}`;
    const verdict = consequences.length === 0 ? 'all sound' : `${consequences.length} damaged`;
    await print(
      `${store.uri}: ${head}: ${verdict}\n${consequences.map((each) => text(each, repaired, flags.store, words)).join('')}${remarks.map(({ name, what }) => `${name}: ${what}\n`).join('')}`,
    );
  }
  for (const { name, problem } of left) complain(`${name}: ${problem}`);
  if (left.length > 0) endWith(ExitCode.no);
}

function text(
  { name, problem, dependents, remake }: Consequence,
  repaired: readonly Repaired[],
  uri: string,
  words: readonly string[],
): string {
  const lines = [`${name}: ${problem}`];
  if (dependents.length > 0) lines.push(`  made from it: ${dependents.join(', ')}`);
  const how = repaired.find((one) => one.name === name)?.how;
  if (how !== undefined) lines.push(`  ${how}`);
  else {
    const command = remake === null ? null : commandOf(remake, uri, words);
    if (command !== null) lines.push(`  run: ${command}`);
    else if (remake === null)
      lines.push('  run: "mergemate scrub --repair" deletes it: nothing that is solved depends on it');
    else lines.push('  move it away, or to where it belongs, and scrub again');
  }
  return `${lines.join('\n')}\n`;
}

/** Null: no command mends it. @param words the games and graphs that were named. */
function commandOf(remake: Remake, uri: string, words: readonly string[]): string | null {
  switch (remake.task) {
    case 'solve graph':
      return `mergemate scrub --repair FILE --store ${uri} (FILE is the source of graph ${remake.graph})`;
    case 'publish graph':
      return `mergemate publish FILE --to ANOTHER-PLACE --store TABLES (FILE is the source of ${remake.name})`;
    case 'move away':
      return null;
    case 'write Syzygy file':
      return `mergemate publish chess ${remake.ending} --as syzygy --to ${uri} --store TABLES`;
    case 'publish':
      return `mergemate publish ${remake.game} ENDINGS${metricFlag(remake.metric)} --to ANOTHER-PLACE --store TABLES`;
    case 'repair':
      return ['mergemate scrub --repair', ...words, '--store', uri].join(' ');
  }
}

/** Prints now and then how much was read. */
function newReport(): (bytes: number) => Promise<void> {
  let read = 0;
  const lines = new SeldomLines();
  return (more) => {
    read += more;
    lines.say(() => `${bytes(read)} read`);
    return breathe();
  };
}
