/** Connect Four on 5 x 5 squares. */
import { keyedGame } from 'mergemate';
import { connectFour } from './rules.js';

export default keyedGame(connectFour(5, 5));
