/** Publications for tests: made, and taken for verified. */

import { type PublishOptions, publish } from '../../pipeline/share/publish/publish.js';
import { type Catalogue, finishPublication } from '../../pipeline/tables/published/catalogue.js';

export async function publishWhole(options: Omit<PublishOptions, 'progress'>): Promise<Catalogue> {
  const { catalogue } = await publish({ ...options, progress: () => {} });
  await finishPublication(options.to, catalogue);
  return catalogue;
}
