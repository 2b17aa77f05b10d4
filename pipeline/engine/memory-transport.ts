/**
 * Carries rows from memory to memory: a parcel is the directory of what the sender's buffer and scratch hold, and receivers
 * read both in place. Partitions in other threads need buffers in shared memory, and one scratch folder.
 */

import { distribute, releaseSegments } from '../../operators/distribute/distribute.js';
import { createPool, type Pool } from '../../operators/distribute/pool.js';
import type { DistributedRows } from '../../operators/distribute/segments.js';
import { gather, gatherByMajor } from '../../operators/gather.js';
import type { HeldParcel, Parcel } from '../game/step-manifests.js';
import type { Transport } from './transport.js';

export function memoryTransport({ shared }: { readonly shared: boolean }): Transport {
  const pools = new Map<string, Pool>();
  const sent = new Map<string, DistributedRows>();

  const transport: Transport = {
    turns: shared ? 2 : 1,
    async send(rows, { majors, columns, memory, buffer }, env) {
      let pool = pools.get(buffer);
      if (pool === undefined) {
        pool = createPool(memory, { shared });
        pools.set(buffer, pool);
      }
      const payload = columns.length as 0 | 1 | 2;
      const segments = await distribute(rows, { majors, payload, pool }, env);
      sent.set(buffer, segments);
      return { rows: segments.rows, held: { segments, pool } };
    },
    receive: (parcels, range, columns, env) => gather(parcels.map(held), range, columns, env),
    receiveByMajor: (parcels, range, columns, env) => [gatherByMajor(parcels.map(held), range, columns, env)],
    async release(buffer, env) {
      const segments = sent.get(buffer);
      sent.delete(buffer);
      if (segments !== undefined) await releaseSegments(segments, env);
    },
    async close(env) {
      for (const buffer of sent.keys()) await transport.release(buffer, env);
      pools.clear();
    },
  };
  return transport;
}

function held(parcel: Parcel): HeldParcel['held'] {
  return (parcel as HeldParcel).held;
}
