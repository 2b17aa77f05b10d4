/** Connect Four on 6 columns of 4 squares. */
import { keyedGame } from 'mergemate';
import { connectFour } from './rules.js';

export default keyedGame(connectFour(6, 4));
