/** Five pawns that block each other: half of the study of Lasker and Reichhelm (1901). */
import { keyedGame } from 'mergemate';
import { blockade } from './rules.js';

export default keyedGame(blockade('blockade', '8/k7/3p4/p2P4/P2P4/8/8/K7 w - - 0 1'));
