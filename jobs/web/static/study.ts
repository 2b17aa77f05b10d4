/** What holds studies against tables, loaded with the first study of a site. */
export { answeredLookup } from '../../study/answered-lookup.js';
export { checkStudy } from '../../study/check-study.js';
