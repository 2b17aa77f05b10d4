/** Writes the picture of the imports: `npm run picture`. */
import { writeFileSync } from 'node:fs';
import { filesIn, importsOf } from './imports.js';
import { pictureOf } from './picture.js';

writeFileSync(
  'docs/imports.svg',
  pictureOf(['operators', 'pipeline', 'jobs'].flatMap(filesIn).flatMap(importsOf)),
);
