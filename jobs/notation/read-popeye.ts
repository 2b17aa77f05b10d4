/**
 * Reads problems in the input language of Popeye, a solving program for composers: its orthodox part.
 *
 *   BeginProblem
 *   Author Noam D. Elkies
 *   Stipulation h#7
 *   Pieces White Kd1 Ba4 Pa2
 *          Black Kh8
 *   EndProblem
 *
 * Keywords may be abbreviated as long as they are unambiguous, in capital or small letters. A knight is S, because N is a nightrider.
 * `NextProblem` ends a problem, too. Twins, conditions and options that change the rules are refused; options about the way of solving are
 * ignored. Runs in browsers as well.
 */
import { NO_TWINS, readStipulation } from '../ui/problem-notation.js';
import { ChessPosition } from './chess-position.js';
import type { ReadStudy } from './study.js';

const KEYWORDS = [
  'beginproblem',
  'nextproblem',
  'endproblem',
  'pieces',
  'white',
  'black',
  'stipulation',
  'forsyth',
  'author',
  'origin',
  'title',
  'award',
  'remark',
  'option',
  'condition',
  'twin',
  'zeroposition',
] as const;
type Keyword = (typeof KEYWORDS)[number];

/** Keywords that take the rest of their line as text. */
const TEXTS: readonly Keyword[] = ['author', 'origin', 'title', 'award', 'remark'];
/** Options that leave the solutions as they are. */
const HARMLESS =
  /^(?:var|setp|try|nothr|nosh|nobo|maxsol|maxti|maxth|maxfl|int|mov|start|defe|keep|onlyf|opt|\d)/i;
const MEN = 'KQRBSP';

/** Whether a text is Popeye's: by its first line that is not empty. */
export function beginsProblem(line: string): boolean {
  return keywordOf(line.trim().split(/\s/, 1)[0]) === 'beginproblem';
}

function keywordOf(word: string): Keyword | undefined {
  const lower = word.toLowerCase();
  if (lower.length < 3) return undefined;
  const fits = KEYWORDS.filter((keyword) => keyword.startsWith(lower));
  return fits.length === 1 ? fits[0] : undefined;
}

interface Problem {
  readonly line: number;
  readonly squares: Map<string, string>;
  forsyth: string | null;
  stipulation: string | null;
  author: string;
  origin: string;
  title: string;
  /** The first thing that is wrong, with its line. */
  wrong: string | null;
}

const newProblem = (line: number): Problem => ({
  line,
  squares: new Map(),
  forsyth: null,
  stipulation: null,
  author: '',
  origin: '',
  title: '',
  wrong: null,
});

/** @param path of the lines, for messages. */
export async function* popeyeProblems(
  lines: AsyncIterable<string> | Iterable<string>,
  path: string,
): AsyncGenerator<ReadStudy> {
  let problem: Problem | null = null;
  let number = 0;
  let at = 0;
  let reading: Keyword = 'beginproblem';
  let colour: 'white' | 'black' = 'white';
  const fail = (what: string) => {
    if (problem !== null) problem.wrong ??= `line ${at}: ${what}`;
  };
  function* end(): Generator<ReadStudy> {
    if (problem !== null && isBegun(problem)) yield studyOf(problem, path, ++number);
  }

  for await (const line of lines) {
    at++;
    const words = [...line.matchAll(/\S+/g)];
    for (const { 0: word, index } of words) {
      const keyword = keywordOf(word);
      if (keyword === 'beginproblem' || keyword === 'nextproblem' || keyword === 'endproblem') {
        yield* end();
        problem = keyword === 'endproblem' ? null : newProblem(at);
        reading = keyword;
        continue;
      }
      if (problem === null) continue;
      if (keyword !== undefined && TEXTS.includes(keyword)) {
        const text = line.slice(index + word.length).trim();
        if (keyword === 'author' || keyword === 'origin' || keyword === 'title') problem[keyword] = text;
        break;
      }
      if (keyword === 'white' || keyword === 'black') colour = keyword;
      else if (keyword === 'condition') fail('conditions change the rules; tables have orthodox rules only');
      else if (keyword === 'twin' || keyword === 'zeroposition') fail(NO_TWINS);
      if (keyword !== undefined) {
        reading = keyword;
        continue;
      }
      if (reading === 'stipulation') problem.stipulation ??= word;
      else if (reading === 'forsyth') problem.forsyth ??= word;
      else if (reading === 'option') {
        if (!HARMLESS.test(word)) fail(`the option ${word} changes what is asked`);
      } else if (reading === 'white' || reading === 'black') {
        const wrong = place(problem.squares, word, colour);
        if (wrong !== null) fail(wrong);
      } else fail(`${JSON.stringify(word)} is not a keyword that is read here`);
    }
  }
  if (problem !== null && isBegun(problem)) {
    fail('EndProblem is missing');
    yield* end();
  }
}

const isBegun = ({ squares, forsyth, stipulation, wrong }: Problem) =>
  squares.size > 0 || forsyth !== null || stipulation !== null || wrong !== null;

/** Puts the men of a word such as "Kc1" or "Pa2b3" on their squares. Returns what is wrong. */
function place(squares: Map<string, string>, word: string, colour: 'white' | 'black'): string | null {
  const match = /^([A-Za-z]{1,2}?)((?:[a-h][1-8])+)$/.exec(word);
  if (match === null) return `${JSON.stringify(word)} is not a man with its squares, such as Kc1 or Pa2b3`;
  const man = match[1].toUpperCase();
  if (man === 'N') return `${word}: N is a nightrider in Popeye; a knight is S`;
  if (!MEN.includes(man)) return `${word}: there is no man ${match[1]} (there are: ${[...MEN].join(', ')})`;
  const letter = man === 'S' ? 'N' : man;
  for (const [square] of match[2].matchAll(/../g)) {
    if (squares.has(square)) return `two men stand on ${square}`;
    squares.set(square, colour === 'white' ? letter : letter.toLowerCase());
  }
  return null;
}

function studyOf(problem: Problem, path: string, number: number): ReadStudy {
  const place = `${path}, problem ${number} (line ${problem.line})`;
  try {
    const { wrong, stipulation, forsyth, squares, author, origin, title } = problem;
    if (wrong !== null) throw new Error(wrong);
    if (stipulation === null) throw new Error('it has no stipulation');
    const aim = readStipulation(stipulation);
    const placement = forsyth === null ? placementOf(squares) : forsythOf(forsyth);
    const { fen } = ChessPosition.read(`${placement} ${aim.mover === 0 ? 'w' : 'b'} - - 0 1`);
    const known = [author, origin].filter((text) => text !== '');
    const study = {
      title: title !== '' ? title : known.length > 0 ? known.join(', ') : place,
      place,
      fen,
      tags: {},
      moves: [],
      result: null,
      operations: { stip: [stipulation] },
      remarks: [],
      source: { tokens: [], line: problem.line, position: `${fen} stip ${JSON.stringify(stipulation)};` },
    };
    return { study };
  } catch (error) {
    return { problem: `${place}: ${(error as Error).message}`, text: '' };
  }
}

function placementOf(squares: ReadonlyMap<string, string>): string {
  const ranks = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) =>
    [...'abcdefgh'].map((file) => squares.get(file + rank) ?? '1').join(''),
  );
  return ranks.join('/').replace(/1+/g, (empty) => String(empty.length));
}

function forsythOf(text: string): string {
  if (/n/i.test(text)) throw new Error(`Forsyth ${text}: N is a nightrider in Popeye; a knight is S`);
  return text.replaceAll('s', 'n').replaceAll('S', 'N');
}
