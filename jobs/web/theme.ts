/** Light or dark: as the system asks, until one chooses. */
import { computed, effect, signal } from '@preact/signals';
import { Kept } from './kept.js';

const kept = new Kept<'light' | 'dark' | null>('mergemate-colours', null);
const dark = matchMedia('(prefers-color-scheme: dark)');
const system = signal(dark.matches);
const chosen = signal(kept.value);

export const isDark = computed(() => (chosen.value === null ? system.value : chosen.value === 'dark'));

dark.addEventListener('change', () => {
  system.value = dark.matches;
});
effect(() => {
  if (chosen.value !== null) document.documentElement.style.colorScheme = chosen.value;
});

export function switchTheme(): void {
  chosen.value = kept.value = isDark.peek() ? 'light' : 'dark';
}
