/** Connect Four on 4 x 4 squares. */
import { keyedGame } from 'mergemate';
import { connectFour } from './rules.js';

export default keyedGame(connectFour(4, 4));
