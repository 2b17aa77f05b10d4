/**
 * Files of the built program. The build puts all code into one folder, `dist/jobs`, so these paths start from there and not from this
 * file's folder.
 */
import { fileURLToPath } from 'node:url';

/** The command line. */
export const CLI = fileURLToPath(new URL('./cli.js', import.meta.url));

/** The folder of the pages that `mergemate serve` shows. */
export const PAGES = fileURLToPath(new URL('../web', import.meta.url));

/** The folder of the page that `mergemate publish --page` copies. */
export const GAME_PAGE = fileURLToPath(new URL('../game-page', import.meta.url));
