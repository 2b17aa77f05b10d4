/**
 * Published statistics of Syzygy's generator for endings with pawns (github.com/niklasf/syzygy-tables.info,
 * stats/standard/standard-stats.txt): plies to a capture, a move of a pawn or mate. They count legal positions without
 * en-passant rights, one of two that are mirror images.
 */
export interface PublishedSide {
  /** 'plies:positions …' of the wins and losses of the side to move. */
  readonly wins: string;
  readonly losses: string;
  readonly draws: number;
}

/** Counts of KPKP, either side to move. */
const EITHER: PublishedSide = {
  wins: '1:1481713 2:216 3:85441 5:23466 7:10893 9:3492 11:947 13:170 15:104 17:53 19:18 21:1',
  losses: '0:2 1:217 2:817168 4:34005 6:11453 8:4520 10:1175 12:302 14:95 16:35 18:12 20:1',
  draws: 1_242_545,
};

/** Figures by ending: White to move, Black to move. */
export const PUBLISHED: Readonly<Record<'KPK' | 'KPKP', readonly [PublishedSide, PublishedSide]>> = {
  KPK: [
    { wins: '1:56069 3:2267 5:1143 7:1002 9:792 11:619 13:406 15:160 17:14 19:8', losses: '', draws: 19_184 },
    {
      wins: '',
      losses: '2:42858 4:2423 6:1090 8:878 10:563 12:508 14:359 16:115 18:4 20:4',
      draws: 35_210,
    },
  ],
  KPKP: [EITHER, EITHER],
};
