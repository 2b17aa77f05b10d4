/** Connect Four on 5 columns of 4 squares. */
import { keyedGame } from 'mergemate';
import { connectFour } from '../../../samples/connect-four/rules.js';

export default keyedGame(connectFour(5, 4));
