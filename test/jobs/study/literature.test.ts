/**
 * Twenty published studies of four men (literature.pgn: positions, solutions, composers and years) are judged as their editors judge them:
 * the tag Judgement says how. Barbier's draw was refuted by Saavedra (T. Krabbé, "The discovery of the Saavedra"); the first move of Réti
 * 1928 has an alternative that leads to the same position (J. Beasley, "The chess endgame studies of Richard Réti", 2012).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readStudies } from '../../../jobs/notation/read-studies.js';
import type { Study } from '../../../jobs/notation/study.js';
import { checkStudy } from '../../../jobs/study/check-study.js';
import { TableLookup } from '../../../jobs/study/table-lookup.js';
import { localStore } from '../../../operators/storage/local.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { newProber } from '../../../pipeline/tables/probe/prober.js';
import { newFolder } from '../../support/folders.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';
import { all } from '../notation/reading.js';

const store = join(newFolder(), 'tables');
afterAll(() => rmSync(store, { recursive: true, force: true }));
const menOf = ({ fen }: Study) => [...fen.split(' ')[0].replace(/[^a-z]/gi, '')].sort().join('');
/**
 * Tables of two pawns need those of all endings to which they convert, and these take most of the time: their studies are judged in the
 * longest tests. The long tests have the studies of a rook and a pawn; the short ones have a table for those without a man of Black alone.
 */
const JUDGED = LONGEST ? null : LONG ? ['KPk', 'KPkr', 'KRkp'] : ['KPk'];
const isJudged = (study: Study) => JUDGED?.includes(menOf(study)) ?? true;
const limits = LONG
  ? `, but for those of two pawns or a minor man${ifNotLongest}`
  : `, only those of a king and pawn against a king${ifShort}`;

describe(`studies of the literature${LONGEST ? '' : limits}`, () => {
  const studies: Study[] = [];
  const check = async (study: Study) => checkStudy(study, lookup.forStudy(study.place));
  const game = chess as Game;
  const tables = localStore(store, { durable: false });
  const probers = [newProber({ game, metric: 'dtm', store: tables })];
  const lookup = new TableLookup({ game, probers, store: tables, metric: 'dtm', men: 4, roots: null });
  beforeAll(async () => {
    const read = await all(readStudies(join(import.meta.dirname, 'literature.pgn')));
    expect(read.problems).toEqual([]);
    studies.push(...read.studies);
    await putEndings(store, chess, LONGEST ? ['KPKP', 'KRKP'] : LONG ? ['KRKP.5', 'KPK'] : ['KPK']);
  }, 900_000);

  test('are sound, have a dual or are refuted, as their editors found', async () => {
    expect(studies).toHaveLength(20);
    const judged = studies.filter(isJudged);
    expect(judged).toHaveLength(LONGEST ? 20 : LONG ? 7 : 4);
    for (const study of judged) {
      const { summary } = await check(study);
      expect([study.title, summary?.judgement]).toEqual([study.title, study.tags.Judgement]);
    }
  });

  test.skipIf(!LONG)(`have minor duals where editors name them${ifShort}`, async () => {
    const reti = studies.find(({ tags }) => tags.White === 'Réti' && tags.Date.startsWith('1928'))!;
    const { moves } = await check(reti);
    expect(moves[0]).toMatchObject({ san: 'Rd2', others: [{ san: 'Rd3', kind: 'transposition' }] });
  });
});
