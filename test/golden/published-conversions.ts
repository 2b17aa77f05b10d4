/**
 * Published statistics of distances to conversion. They are those of Syzygy's generator for its tables
 * (github.com/niklasf/syzygy-tables.info, stats/standard). For endings without pawns these count plies to the next
 * capture or mate. They count boards up to symmetry with like men told apart. Endings that convert to a win that the
 * 50-move rule forbids count otherwise, and are not here.
 */
import type { TableStats } from '../../pipeline/analysis/stats.js';

/**
 * 'ply:positions …' of the wins of either side, by side to move. (Boards wholly on a diagonal, which count for less here
 * than there, are all drawn; syzygy-counts.ts counts those, too.)
 */
interface Published {
  readonly white: { readonly whiteWins: string; readonly blackWins: string };
  readonly black: { readonly whiteWins: string; readonly blackWins: string };
}

const PUBLISHED: Readonly<Record<string, Published>> = {
  KBBK: {
    white: {
      whiteWins: `
        1:1578 3:652 5:3734 7:4608 9:7668 11:9378 13:14202 15:21554 17:31066 19:45314 21:62414 23:73646
        25:88690 27:90134 29:79014 31:61518 33:27340 35:3362 37:30`,
      blackWins: '',
    },
    black: {
      whiteWins: `
        0:388 2:268 4:586 6:858 8:2334 10:2330 12:5250 14:7602 16:13184 18:19408 20:32248 22:45398 24:63514
        26:87428 28:104354 30:122592 32:123988 34:63450 36:8240 38:90`,
      blackWins: '',
    },
  },
  KBBKN: {
    white: {
      whiteWins: `
        1:11642192 3:1643300 5:1956612 7:981564 9:650824 11:548594 13:471194 15:405244 17:341974 19:297426
        21:264432 23:241638 25:231814 27:224488 29:233084 31:245486 33:255044 35:260242 37:261164 39:257792
        41:253790 43:240404 45:228990 47:222536 49:227280 51:240616 53:268216 55:299594 57:323922 59:333916
        61:318030 63:296328 65:275448 67:253160 69:243250 71:217750 73:186492 75:147468 77:120278 79:105624
        81:99356 83:100906 85:108608 87:135884 89:195826 91:289670 93:392776 95:486966 97:581756 99:684892
        101:788752 103:920868 105:1016772 107:1037140 109:981394 111:859132 113:721244 115:579930 117:430142
        119:269286 121:115298 123:26052 125:2804 127:904 129:284 131:64`,
      blackWins: '0:88',
    },
    black: {
      whiteWins: `
        0:15916 2:1949726 4:579356 6:564394 8:404754 10:366000 12:377786 14:371034 16:353456 18:322486
        20:285218 22:248786 24:225236 26:205436 28:201018 30:208470 32:220722 34:226610 36:230406 38:223788
        40:223970 42:217058 44:202600 46:193784 48:197056 50:203460 52:228558 54:254900 56:284974 58:304830
        60:305136 62:291402 64:274372 66:256780 68:243426 70:225992 72:196528 74:167886 76:135136 78:113218
        80:102172 82:102756 84:113856 86:137680 88:203128 90:317386 92:450854 94:562792 96:678826 98:796798
        100:957568 102:1187606 104:1477222 106:1750850 108:1917452 110:1936952 112:1788518 114:1584926
        116:1359060 118:1097040 120:752784 122:365468 124:97292 126:11076 128:3524 130:820 132:86`,
      blackWins: '1:444',
    },
  },
  KBBKB: {
    white: {
      whiteWins: '1:11655874 3:264508 5:62354 7:19700 9:5604 11:1006',
      blackWins: '0:1276 2:282',
    },
    black: {
      whiteWins: '0:19256 2:1151394 4:35288 6:9322 8:2576 10:360 12:12',
      blackWins: '1:4897 3:928',
    },
  },
  KBBBK: {
    white: {
      whiteWins: `
        1:427623 2:1089690 3:226122 4:2201124 5:790800 6:5229657 7:1048107 8:7016220 9:1502238 10:9748644
        11:1403757 12:9016677 13:1106067 14:5606124 15:454482 16:1554375 17:40209 18:72900 19:336 20:288`,
      blackWins: '',
    },
    black: {
      whiteWins: `
        0:128586 1:151452 2:76266 3:594297 4:226803 5:1678374 6:510471 7:3395574 8:1427868 9:7983411
        10:1974399 11:12304350 12:2677776 13:15872118 14:2557416 15:12829155 16:1253697 17:4114599 18:117168
        19:209883 20:948 21:840`,
      blackWins: '',
    },
  },
  KBBBKB: {
    white: {
      whiteWins: `
        1:1226138256 2:379062 3:78368343 4:592716 5:32924874 6:915348 7:19686750 8:920250 9:15691344
        10:830676 11:17138292 12:930150 13:21847920 14:1121700 15:30200550 16:1441470 17:39719850 18:1861524
        19:50877078 20:2701824 21:64647024 22:3308118 23:76532262 24:3427440 25:78594078 26:3048870
        27:67460958 28:2263434 29:45165822 30:1191144 31:21734112 32:405924 33:6165324 34:60090 35:632010
        36:1002 37:22176 38:12 39:114`,
      blackWins: '0:82236 2:36606',
    },
    black: {
      whiteWins: `
        0:5439072 1:725370 2:360403578 3:525522 4:29914710 5:465978 6:17481747 7:629172 8:12347250 9:618420
        10:13332012 11:693564 12:16914036 13:894750 14:24072144 15:1188144 16:34142538 17:1594074
        18:46189122 19:2545044 20:63828006 21:3753636 22:87591378 23:4660638 24:111337824 25:5225466
        26:127169178 27:5460606 28:129656508 29:4719186 30:107601702 31:2961318 32:61987506 33:1205958
        34:19560414 35:212370 36:2133858 37:4284 38:64272 39:6 40:18`,
      blackWins: '1:334566 3:114576',
    },
  },
};

export const PUBLISHED_ENDINGS: readonly string[] = Object.keys(PUBLISHED);

const LIKE_MEN = [1, 1, 2, 6, 24];

/** Boards for each orbit counted once, times the ways to tell like men apart. */
function factorOf(ending: string): number {
  let factor = 1 / 8;
  for (const side of ending.slice(1).split('K')) {
    for (const letter of new Set(side)) factor *= LIKE_MEN[side.split(letter).length - 1];
  }
  return factor;
}

/** Every figure published for an ending beside the one of a DTC table: [what, published, found]. */
export function comparePublished(ending: string, stats: TableStats): [string, number, number][] {
  const factor = factorOf(ending);
  const compared: [string, number, number][] = [];
  for (const side of ['white', 'black'] as const) {
    const published = PUBLISHED[ending][side];
    const found = stats[side];
    for (const wins of ['whiteWins', 'blackWins'] as const) {
      const byPly = found[`${wins}ByPly`];
      const listed = new Map(published[wins].split(/\s+/).map((pair) => pair.split(':') as [string, string]));
      listed.delete('');
      for (const ply of new Set([...listed.keys(), ...Object.keys(byPly)])) {
        const count = (byPly[ply]?.placements ?? 0) * factor;
        compared.push([`${side} to move, ${wins} in ${ply}`, Number(listed.get(ply) ?? 0), count]);
      }
    }
  }
  return compared;
}
