/** All that reads publications, loaded by pages of sites that have one. */
export { newPublishedProber } from '../../../pipeline/tables/probe/published-prober.js';
export { openPublication } from '../../../pipeline/tables/published/publication.js';
