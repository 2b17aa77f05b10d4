/** Names of the last release. They run nothing: one line gives the command that does the same now. */
import { own } from '../../operators/core/own.js';

const RENAMED: Readonly<Record<string, string>> = {
  line: 'probe GAME POSITION --line',
  report: 'stats GAME ENDINGS --html FOLDER',
  positions: 'export GAME ENDINGS --where CONDITIONS',
  gc: 'scrub --collect',
  syzygy: 'publish chess ENDINGS --as syzygy --to FOLDER',
  'syzygy verify': 'verify FOLDER',
  'graph list': 'status graph',
};

/** Flags that are gone, alone or with one value, by their commands: the command that does the same, or, behind a colon, what else does. */
const FLAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  serve: { '--export': 'publish GAME ENDINGS --as site --to FOLDER' },
  plan: { '--format': ': edit a template of samples/batch' },
  publish: { '--page': 'publish GAME --as site' },
  solve: {
    '--engine=slurm': ': edit samples/batch/slurm.sh and give it to sbatch',
    '--sbatch-arg': ': edit samples/batch/slurm.sh and give it to sbatch',
  },
};

/** The line about an old name at the beginning of a command line; null for all others. */
export function newNameOf([first, ...rest]: readonly string[]): string | null {
  const pair = `${first} ${rest[0]}`;
  for (const old of [pair, first]) {
    const now = own(RENAMED, old);
    if (now !== undefined) return said(old, now);
  }
  if (first === 'graph')
    return rest.length === 0 || rest[0].startsWith('-')
      ? 'the commands of "graph" are those of all games now: give the file or name of a graph in place of a game'
      : said(pair, `${rest[0]} FILE`);
  for (const [flag, now] of Object.entries(own(FLAGS, first) ?? {})) {
    const isGiven = (word: string, i: number) =>
      word === flag || word.startsWith(`${flag}=`) || `${word}=${rest[i + 1]}` === flag;
    if (rest.some(isGiven)) return said(`${first} ${flag.replace('=', ' ')}`, now);
  }
  return null;
}

const said = (old: string, now: string) =>
  now.startsWith(':')
    ? `"mergemate ${old}" is gone${now}`
    : `"mergemate ${old}" is called "mergemate ${now}" now`;
