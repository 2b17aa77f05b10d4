/** Light or dark: as the system asks, until one chooses. */
import { button } from './dom.js';

const KEPT = 'mergemate-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

/** `changed`: what is drawn in colours of its own must be drawn again. */
export function newThemeButton(changed: () => void): HTMLButtonElement {
  let chosen = kept();
  const isDark = () => (chosen ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const made = button('', () => {
    chosen = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem(KEPT, chosen);
    } catch {
      // Not kept, then.
    }
    apply();
  });

  function apply(): void {
    if (chosen !== null) document.documentElement.style.colorScheme = chosen;
    made.textContent = isDark() ? 'Light' : 'Dark';
    made.setAttribute('aria-label', `Change to ${isDark() ? 'light' : 'dark'} colours`);
    changed();
  }

  dark.addEventListener('change', apply);
  apply();
  return made;
}

function kept(): string | null {
  try {
    const found = localStorage.getItem(KEPT);
    return found === 'light' || found === 'dark' ? found : null;
  } catch {
    return null;
  }
}
