/** Light or dark: as the system asks, until one chooses. */
import { computed, effect, signal } from '@preact/signals';

const KEPT = 'mergemate-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const system = signal(dark.matches);
const chosen = signal(kept());

/** Drawings in colours of their own are made again when it changes. */
export const isDark = computed(() => (chosen.value === null ? system.value : chosen.value === 'dark'));

dark.addEventListener('change', () => {
  system.value = dark.matches;
});
effect(() => {
  if (chosen.value !== null) document.documentElement.style.colorScheme = chosen.value;
});

export function switchTheme(): void {
  chosen.value = isDark.peek() ? 'light' : 'dark';
  try {
    localStorage.setItem(KEPT, chosen.value);
  } catch {
    // Not kept, then.
  }
}

function kept(): 'light' | 'dark' | null {
  try {
    const found = localStorage.getItem(KEPT);
    return found === 'light' || found === 'dark' ? found : null;
  } catch {
    return null;
  }
}
