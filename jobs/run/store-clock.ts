/** The clock of a store, by which ages of its objects are measured: it may differ from the clock of this machine by hours. */
import type { Store } from '../../operators/storage/store.js';
import { complain } from '../cli/exit.js';
import { duration } from '../ui/numbers.js';

/** Smaller differences are not reported. Servers give their time in whole seconds. */
const NOTED_MS = 5000;
/** Stores whose clock was compared, by their URI. */
const compared = new Set<string>();

/** Reports in one line, once for each store, that its clock differs from that of this machine by more than a few seconds. */
export async function reportClock(store: Store): Promise<void> {
  if (compared.has(store.uri)) return;
  compared.add(store.uri);
  const ahead = await store.clockAhead();
  if (Math.abs(ahead) <= NOTED_MS) return;
  const how = `${duration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'}`;
  complain(`${store.uri}: its clock is ${how} that of this machine; ages of objects are taken by its clock`);
}
