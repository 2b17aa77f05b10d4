/** Four by four cells. */
import { keyedGame } from 'mergemate';
import { hex } from './game.js';

export default keyedGame(hex(4));
