/** Three by three squares, two cars each. */
import { dodgem } from './dodgem.ts';

export default dodgem(3);
