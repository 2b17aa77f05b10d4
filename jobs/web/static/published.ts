/** All that reads publications, loaded by pages of sites that have one. */
export { publishedProber } from '../../../pipeline/tables/probe/published-problems.js';
export { openPublication } from '../../../pipeline/tables/published/publication.js';
