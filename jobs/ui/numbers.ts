/** Numbers as people read them. */

/** Between digits in front of the point, at each three of the last ones. */
const GROUPS = /(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g;

/** "1,234,567"; at most three digits behind the point. By hand: to load `Intl` takes a tenth of what a small command does. */
export function whole(n: number): string {
  return String(Math.round(n * 1000) / 1000).replace(GROUPS, ',');
}

/** "1 file", "1,234 files", "2 plies". `several`: the plural, where it takes more than an s. */
export function count(n: number, what: string, several = `${what}s`): string {
  return `${whole(n)} ${n === 1 ? what : several}`;
}

/** "12.3 M": three digits are enough for a speed. */
export function rough(n: number): string {
  for (const [unit, size] of [
    ['T', 1e12],
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const) {
    if (n >= size) return `${(n / size).toPrecision(3)} ${unit}`;
  }
  return String(Math.round(n));
}

/** "12.3 MiB" */
export function bytes(n: number): string {
  for (const [unit, size] of [
    ['TiB', 2 ** 40],
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (n >= size) return `${(n / size).toFixed(1)} ${unit}`;
  }
  return `${n} B`;
}

/** "83 ms", "4.2 s", "3 min 07 s", "2 h 05 min" */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/** A share such as "99.10 %". Shares that would be rounded to none or to all are "< 0.01 %" and "> 99.99 %". */
export function percent(part: number, of: number): string {
  if (of === 0 || part === 0) return '0 %';
  if (part === of) return '100 %';
  const share = (100 * part) / of;
  if (share < 0.01) return '< 0.01 %';
  return share > 99.99 ? '> 99.99 %' : `${share.toFixed(2)} %`;
}
