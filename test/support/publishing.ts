/** Publications for tests: made, and taken for verified. */
import { type Catalogue, finishPublication } from '../../pipeline/publish/catalogue.js';
import { type PublishOptions, publish } from '../../pipeline/publish/publish.js';

export async function publishWhole(options: Omit<PublishOptions, 'progress'>): Promise<Catalogue> {
  const { catalogue } = await publish({ ...options, progress: () => {} });
  await finishPublication(options.to, catalogue);
  return catalogue;
}
