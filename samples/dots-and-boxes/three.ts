/** Three by three boxes. */
import { keyedGame } from 'mergemate';
import { dotsAndBoxes } from './game.js';

export default keyedGame(dotsAndBoxes(3));
