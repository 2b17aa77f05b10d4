import { describe, expect, it } from 'vitest';
import { readChessPosition } from '../../../jobs/notation/epd.js';
import { type ReadStudy, studiesOf } from '../../../jobs/notation/read-game.js';

async function read(text: string): Promise<ReadStudy[]> {
  const found: ReadStudy[] = [];
  for await (const each of studiesOf(text.split('\n'), 'x')) found.push(each);
  return found;
}

async function studies(text: string) {
  return (await read(text)).map((each) => ('study' in each ? each.study : each.problem));
}

const ELKIES = `BeginProblem
Author Noam D. Elkies
Origin The Problemist, 2004
Stipulation h#7
Option Variation SetPlay
Pieces
  White Kd1 Ba4 Pa2
  Black Kh8
EndProblem
`;

describe('input of Popeye', () => {
  it('is read as a position with a stipulation', async () => {
    expect(await studies(ELKIES)).toMatchObject([
      {
        title: 'Noam D. Elkies, The Problemist, 2004',
        place: 'x, problem 1 (line 1)',
        fen: '7k/8/8/8/B7/8/P7/3K4 b - - 0 1',
        operations: { stip: ['h#7'] },
      },
    ]);
  });

  it('may have short keywords, several problems, men on several squares, knights as S, and Forsyth', async () => {
    const text = `
beg
sti s#2 pie whi Kc1 Sa2d3 bla ka1 ph7
next
stip h#2.5
forsyth 8/8/8/8/8/1k6/5s2/1K5B
endp`;
    expect(await studies(text)).toMatchObject([
      { fen: '8/7p/8/8/8/3N4/N7/k1K5 w - - 0 1', operations: { stip: ['s#2'] } },
      { fen: '8/8/8/8/8/1k6/5n2/1K5B w - - 0 1', place: 'x, problem 2 (line 4)' },
    ]);
  });

  it.each([
    ['Kd1', 'Nd1', 'line 7: Nd1: N is a nightrider in Popeye; a knight is S'],
    ['Kd1', 'Xd1', 'line 7: Xd1: there is no man X (there are: K, Q, R, B, S, P)'],
    ['Kd1', 'Kd9', 'line 7: "Kd9" is not a man with its squares, such as Kc1 or Pa2b3'],
    ['Ba4', 'Bd1', 'line 7: two men stand on d1'],
    ['SetPlay', 'Duplex', 'line 5: the option Duplex changes what is asked'],
    ['Option Variation SetPlay', 'Condition Circe', 'line 5: conditions change the rules'],
    ['EndProblem', 'Twin Move d1 d2\nEndProblem', 'line 9: twins are not read: write each as a problem'],
    ['h#7', 'q#7', 'stipulation "q#7": there are no tables of this kind'],
    ['Stipulation h#7', '', 'it has no stipulation'],
    ['EndProblem', '', 'EndProblem is missing'],
    ['Kd1 ', '', 'king'],
  ])('tells %s turned into "%s" in one line with its place', async (from, to, words) => {
    const [problem] = await studies(ELKIES.replace(from, to));
    expect(problem).toMatch(/^x, problem 1 \(line 1\): [^\n]*$/);
    expect(problem).toContain(words);
  });

  it.each([
    ['AnfangProblem\nForderung h#7\nSteine Weiss Kd1 La4 Ba2 Schwarz Kh8 Sb8\nEndeProblem'],
    ['DebutProbleme\nEnonce h#7\nPieces Blanc Rd1 Fa4 Pa2 Noir Rh8 Cb8\nFinProbleme'],
    ['DebutProbleme\nEnonce h#7\nForsyth 1c5r/8/8/8/F7/8/P7/3R4\nFinProbleme'],
  ])('may be German or French: %j', async (text) => {
    expect(await studies(text)).toMatchObject([{ fen: '1n5k/8/8/8/B7/8/P7/3K4 b - - 0 1' }]);
    const wrong = text.replace('EndeProblem', 'Bedingung Circe').replace('FinProbleme', 'Jumeau');
    expect(await studies(wrong)).toEqual([expect.stringMatching(/line \d: (?:conditions|twins)/)]);
  });

  it('goes on with the next problem after a bad one', async () => {
    const all = await studies(ELKIES.replace('Kd1', 'Kd9').replace('EndProblem\n', '') + ELKIES);
    expect(all).toEqual([expect.any(String), expect.objectContaining({ place: 'x, problem 2 (line 9)' })]);
  });
});

describe('stipulations behind positions', () => {
  it.each([
    ['7k/8/8/8/B7/8/P7/3K4 h#7', 'b', 'h#7'],
    ['7k/8/8/8/B7/8/P7/3K4 b - - 0 1 h#7', 'b', 'h#7'],
    ['7k/8/8/8/B7/8/P7/3K4 b - - h#7 1.1...', 'b', 'h#7 1.1...'],
    ['7k/8/8/8/B7/8/P7/3K4 w h#6.5', 'w', 'h#6.5'],
    ['7k/8/8/8/B7/8/P7/3K4 b - - stip "h#7"; id "x";', 'b', 'h#7'],
    ['7k/8/8/8/B7/8/P7/3K4 b - - h#7;', 'b', 'h#7'],
    ['7k/8/8/8/B7/8/P7/3K4 h#7; id "x";', 'b', 'h#7'],
    ['7k/8/8/8/B7/8/P7/3K4 h# 7', 'b', 'h# 7'],
    ['7k/8/8/8/B7/8/P7/3K4 h#6½', 'w', 'h#6½'],
    ['7k/8/8/8/B7/8/P7/3K4 h#7 2 sol.', 'b', 'h#7 2 sol.'],
    ['7k/8/8/8/B7/8/P7/3K4 h#7 (2 Lösungen)', 'b', 'h#7 (2 Lösungen)'],
  ])('%s', (line, side, stipulation) => {
    const { fen, operations } = readChessPosition(line);
    expect(fen).toBe(`7k/8/8/8/B7/8/P7/3K4 ${side} - - 0 1`);
    expect(operations.stip.join(' ')).toBe(stipulation);
  });

  it('leave remarks alone', () => {
    expect(readChessPosition('7k/8/8/8/B7/8/P7/3K4 b - - ; drawn, not #7').operations).toEqual({});
    expect(readChessPosition('7k/8/8/8/B7/8/P7/3K4 b - - id "h#7";').operations).toEqual({ id: ['h#7'] });
    expect(readChessPosition('7k/8/8/8/B7/8/P7/3K4 b - - ce +35;').operations).toEqual({ ce: ['+35'] });
    const both = readChessPosition('7k/8/8/8/B7/8/P7/3K4 b - - h#7 1.1...; id "x y"; c0 "z";');
    expect(both.operations).toEqual({ stip: ['h#7 1.1...'], id: ['x y'], c0: ['z'] });
  });

  it('come as a tag of PGN', async () => {
    const [study] = await studies('[FEN "7k/8/8/8/B7/8/P7/3K4 b - - 0 1"]\n[Stipulation "h#7"]\n\n*\n');
    expect(study).toMatchObject({ tags: { Stipulation: 'h#7' }, fen: '7k/8/8/8/B7/8/P7/3K4 b - - 0 1' });
  });

  it.each([
    [
      'h#7 b) Kd1 to d2',
      'stipulation "h#7 b) Kd1 to d2": twins are not read: write each as a problem of its own',
    ],
    [
      'h#7 2111',
      'stipulation "h#7 2111": "2111" must be the number of solutions, as in 2.1.1.1 or 2 solutions',
    ],
    ['h#7*', 'stipulation "h#7*": set play is not checked: leave out "*", and see "probe", which shows it'],
    [
      'h#7 *1.1...',
      'stipulation "h#7 *1.1...": set play is not checked: leave out "*", and see "probe", which shows it',
    ],
    [
      'h#7 Duplex',
      'stipulation "h#7 Duplex": a duplex is two problems: write each of its own, the second with colours exchanged',
    ],
    [
      'h#7 two ways',
      'stipulation "h#7 two ways": "two ways" must be the number of solutions, as in 2.1.1.1 or 2 solutions',
    ],
    ['h##7', 'stipulation "h##7": must be like h#3, h#2.5, s#2, h=3 or #2'],
  ])('%s is one line with the place', async (stipulation, words) => {
    expect(await studies(`7k/8/8/8/B7/8/P7/3K4 ${stipulation}`)).toEqual([`x, line 1: ${words}`]);
  });

  it('may stand behind a board that is wrong, of which the cause is named', async () => {
    const wrong = async (placement: string) => (await studies(`${placement} h#7`))[0];
    expect(await wrong('7k/8/8/6D1/8/8/8/K7')).toContain('placement: "D" in rank 5 is not a man');
    expect(await wrong('7k/8/8/8/8/8/K7')).toContain('a placement must have 8 ranks, not 7');
    expect(await wrong('9/8/8/8/8/8/k7/K7')).toContain('placement: "9" in rank 8 is not a man');
  });

  it('that no table answers are one line with the place', async () => {
    expect(await studies('7k/8/8/8/B7/8/P7/3K4 q#7')).toEqual([
      'x, line 1: stipulation "q#7": there are no tables of this kind (there are: #, h#, h=, s#, s=)',
    ]);
  });
});
