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
 * Keywords may be abbreviated as long as they are unambiguous, in capital or small letters. A knight is S, because N is a nightrider. Keywords and
 * letters of men may also be French or German, as the word that begins the file is.
 * `NextProblem` ends a problem, too. Twins, conditions and options that change the rules are refused; options about the way of solving are
 * ignored. Runs in browsers as well.
 */
import { NO_TWINS, readStipulation } from '../ui/problem-notation.js';
import { ChessPosition } from './chess-position.js';
import type { ReadStudy } from './study.js';

/** Keywords in the languages of Popeye: English, French and German. The one that begins a file decides for all of it. */
const KEYWORDS = {
  beginproblem: ['beginproblem', 'debutprobleme', 'anfangproblem'],
  nextproblem: ['nextproblem', 'asuivre', 'weiteresproblem'],
  endproblem: ['endproblem', 'finprobleme', 'endeproblem'],
  pieces: ['pieces', 'pieces', 'steine'],
  white: ['white', 'blanc', 'weiss'],
  black: ['black', 'noir', 'schwarz'],
  stipulation: ['stipulation', 'enonce', 'forderung'],
  forsyth: ['forsyth', 'forsyth', 'forsyth'],
  author: ['author', 'auteur', 'autor'],
  origin: ['origin', 'source', 'quelle'],
  title: ['title', 'titre', 'titel'],
  award: ['award', 'prix', 'auszeichnung'],
  remark: ['remark', 'remarque', 'bemerkung'],
  option: ['option', 'option', 'option'],
  condition: ['condition', 'condition', 'bedingung'],
  twin: ['twin', 'jumeau', 'zwilling'],
  zeroposition: ['zeroposition', 'zeroposition', 'nullstellung'],
} as const;
type Keyword = keyof typeof KEYWORDS;
const LANGUAGES = [0, 1, 2] as const;
type Language = (typeof LANGUAGES)[number];

/** Keywords that take the rest of their line as text. */
const TEXTS: readonly Keyword[] = ['author', 'origin', 'title', 'award', 'remark'];
/** Options that leave the solutions as they are, by language. */
const HARMLESS = [
  /^(?:var|setp|try|nothr|nosh|nobo|maxsol|maxti|maxth|maxfl|int|mov|start|defe|keep|onlyf|opt|\d)/i,
  /^(?:var|apparent|essais|trace|enroute|jusqu|sanse|maxs|int|\d)/i,
  /^(?:var|satz|verf|zugn|startz|biszug|ohneb|maxl|int|\d)/i,
] as const;
/** Letters of king, queen, rook, bishop, knight and pawn, by language. */
const MEN = ['KQRBSP', 'RDTFCP', 'KDTLSB'] as const;
const IN_FEN = 'KQRBNP';

/** Whether a text is Popeye's: by its first line that is not empty. */
export function beginsProblem(line: string): boolean {
  return languageOf(line.trim().split(/\s/, 1)[0]) !== undefined;
}

/** The language of a word that begins a file; undefined of any other word. */
const languageOf = (word: string): Language | undefined =>
  LANGUAGES.find((language) => keywordOf(word, language) === 'beginproblem');

function keywordOf(word: string, language: Language): Keyword | undefined {
  const lower = word.toLowerCase();
  if (lower.length < 3) return undefined;
  const fits = (Object.keys(KEYWORDS) as Keyword[]).filter((each) =>
    KEYWORDS[each][language].startsWith(lower),
  );
  return fits.length === 1 ? fits[0] : undefined;
}

interface Problem {
  readonly line: number;
  readonly language: Language;
  readonly squares: Map<string, string>;
  forsyth: string | null;
  stipulation: string | null;
  author: string;
  origin: string;
  title: string;
  /** The first thing that is wrong, with its line. */
  wrong: string | null;
}

const newProblem = (line: number, language: Language): Problem => ({
  line,
  language,
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
  let language: Language | undefined;
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
      language ??= languageOf(word);
      const keyword = keywordOf(word, language ?? 0);
      if (keyword === 'beginproblem' || keyword === 'nextproblem' || keyword === 'endproblem') {
        yield* end();
        problem = keyword === 'endproblem' ? null : newProblem(at, language ?? 0);
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
        if (!HARMLESS[problem.language].test(word)) fail(`the option ${word} changes what is asked`);
      } else if (reading === 'white' || reading === 'black') {
        const wrong = place(problem, word, colour);
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
function place({ squares, language }: Problem, word: string, colour: 'white' | 'black'): string | null {
  const match = /^([A-Za-z]{1,2}?)((?:[a-h][1-8])+)$/.exec(word);
  if (match === null) return `${JSON.stringify(word)} is not a man with its squares, such as Kc1 or Pa2b3`;
  const letter = IN_FEN[MEN[language].indexOf(match[1].toUpperCase())];
  if (letter === undefined || match[1].length > 1) return `${word}: ${noMan(match[1], language)}`;
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
    const placement = forsyth === null ? placementOf(squares) : forsythOf(forsyth, problem.language);
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

function forsythOf(text: string, language: Language): string {
  return text.replace(/[A-Za-z]/g, (letter) => {
    const found = IN_FEN[MEN[language].indexOf(letter.toUpperCase())];
    if (found === undefined) throw new Error(`Forsyth ${text}: ${noMan(letter, language)}`);
    return letter === letter.toLowerCase() ? found.toLowerCase() : found;
  });
}

function noMan(letter: string, language: Language): string {
  const [, , , , knight] = MEN[language];
  if (letter.toUpperCase() === 'N') return `N is a nightrider in Popeye; a knight is ${knight}`;
  return `there is no man ${letter} (there are: ${[...MEN[language]].join(', ')})`;
}
