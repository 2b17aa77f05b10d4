/** Raised when the meaning of manifests, runs or tables changes. Apart from the shapes of manifests, which pages need not load. */
export const FORMAT_VERSION = 3;
