/** Raised when the meaning of manifests, runs or tables changes. Apart from the shapes of manifests, which pages need not load. */
export const FORMAT_VERSION = 3;
/** That of a commit of rounds some of which were left out: earlier programs number a round by counting those before it. */
export const SKIPPING_VERSION = 4;
