/** Light or dark: as the system asks, until one chooses. */
import { computed, effect, signal } from '@preact/signals';
import { kept } from './kept.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const system = signal(dark.matches);
const chosen = kept<'light' | 'dark' | null>('mergemate-colours', null);

export const isDark = computed(() => (chosen.value === null ? system.value : chosen.value === 'dark'));

dark.addEventListener('change', () => {
  system.value = dark.matches;
});
effect(() => {
  if (chosen.value !== null) document.documentElement.style.colorScheme = chosen.value;
});

export function switchTheme(): void {
  chosen.value = isDark.peek() ? 'light' : 'dark';
}
