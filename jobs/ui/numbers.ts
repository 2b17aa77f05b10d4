/** Numbers as people read them. */

/** Between digits in front of the point, at each three of the last ones. */
const GROUPS = /(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g;

/** "1,234,567"; at most three digits behind the point. By hand: to load `Intl` takes a tenth of what a small command does. */
export function whole(n: number): string {
  return String(Math.round(n * 1000) / 1000).replace(GROUPS, ',');
}

/** "1 file", "1,234 files" */
export function count(n: number, what: string): string {
  return `${whole(n)} ${what}${n === 1 ? '' : 's'}`;
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

/** A share such as "99.1 %"; a share below 1 is never rounded to 100 %, nor one above 0 to 0 %. */
export function percent(part: number, of: number): string {
  if (of === 0 || part === 0) return '0 %';
  if (part === of) return '100 %';
  return `${Math.min(99.99, Math.max(0.01, (100 * part) / of)).toFixed(2)} %`;
}
