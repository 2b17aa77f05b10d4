/** Files of the built program. The build puts all code into one folder, `dist/jobs`, and code that runs from its sources finds them there, too. */
import { fileURLToPath } from 'node:url';

/** The folder of the code: that of this module, once it is built. */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? '../../dist/jobs/' : './', import.meta.url);

export const programFile = (name: string): URL => new URL(`./${name}`, PROGRAM);

/** The command line. */
export const CLI = fileURLToPath(programFile('cli.js'));

/** The folder of the pages that `mergemate serve` shows. */
export const PAGES = fileURLToPath(new URL('../web', PROGRAM));

/** The folder of the page that `mergemate publish --page` copies. */
export const GAME_PAGE = fileURLToPath(new URL('../game-page', PROGRAM));
