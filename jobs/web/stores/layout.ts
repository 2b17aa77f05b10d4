/** Which parts of the page are open. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';

/** In windows like this, panels have a place of their own. In others they take that of the moves. As style/layout.css has it. */
const WIDE = matchMedia('(min-width: 1240px) and (min-height: 521px)');

export class Layout {
  readonly dialog = signal<'settings' | 'share' | null>(null);
  /** Men are being put on the board, or taken off. */
  readonly settingUp = signal(false);
  /** The open panel; null: the moves have its place. */
  readonly panel: ReadonlySignal<string | null>;
  readonly chosen: ReturnType<typeof signal<string | null>>;

  /** @param panels the names of those that there are. @param first the one that is to be open. */
  constructor(
    readonly panels: readonly string[],
    first: string | undefined,
  ) {
    const isWide = signal(WIDE.matches);
    WIDE.addEventListener('change', () => {
      isWide.value = WIDE.matches;
    });
    this.chosen = signal(first !== undefined && panels.includes(first) ? first : null);
    this.panel = computed(() => this.chosen.value ?? (isWide.value ? (panels[0] ?? null) : null));
  }

  /** Gives the board its room back. Resolves when it has its size: men that move while it changes would be lost. */
  async makeRoom(): Promise<void> {
    if (WIDE.matches || this.chosen.peek() === null) return;
    this.chosen.value = null;
    for (let frames = 0; frames < 3; frames++) await new Promise((drawn) => requestAnimationFrame(drawn));
  }

  show(dialog: 'settings' | 'share'): () => void {
    return () => {
      this.dialog.value = dialog;
    };
  }

  close = (): void => {
    this.dialog.value = null;
  };
}
