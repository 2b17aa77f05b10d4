/** Three by three squares, two cars each. */
import { dodgem } from './game.js';

export default dodgem(3);
