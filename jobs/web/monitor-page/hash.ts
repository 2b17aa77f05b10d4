/** The run and slice that are shown, in the address: a link carries them. */
import type { Model } from './model.js';

type Asked = Pick<Model, 'askedRun' | 'askedSlice'>;

export function readHash(hash: string): Asked {
  const found = new URLSearchParams(hash.replace(/^#/, ''));
  return { askedRun: found.get('run'), askedSlice: found.get('slice') };
}

export function writeHash({ askedRun, askedSlice }: Asked): void {
  const asked = new URLSearchParams({
    ...(askedRun !== null && { run: askedRun }),
    ...(askedSlice !== null && { slice: askedSlice }),
  });
  const hash = asked.toString().replaceAll('%2F', '/');
  history.replaceState(null, '', hash === '' ? location.pathname + location.search : `#${hash}`);
}
