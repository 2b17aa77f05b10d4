/** Connect Four on 4 columns of 5 squares. */
import { keyedGame } from 'mergemate';
import { connectFour } from '../../../samples/connect-four/rules.js';

export default keyedGame(connectFour(4, 5));
