/** All that reads publications, loaded by pages of sites that have one. */
export { newPublishedProber } from '../../../pipeline/probe/published-prober.js';
export { openPublication } from '../../../pipeline/publish/publication.js';
