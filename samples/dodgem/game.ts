/** Four by four squares, three cars each. */
import { dodgem } from './dodgem.ts';

export default dodgem(4);
