/** A man that follows the pointer. */
import { h } from '../dom.js';

/** Pixels a pointer moves before it drags. */
const THRESHOLD = 5;

export interface Dragged {
  /** The picture that follows the pointer, and its width in pixels. */
  readonly picture: () => Element;
  readonly width: number;
  /** It begins to move. */
  begun(): void;
  /** It is over a point of the window. */
  over(x: number, y: number): void;
  /** It is let go; null where it was not dragged at all but pressed, or taken away by the system. */
  dropped(at: { readonly x: number; readonly y: number } | null, pressed: boolean): void;
}

/** `down`: the event that may begin a drag. */
export function followPointer(down: PointerEvent, dragged: Dragged): void {
  const element = down.currentTarget as HTMLElement;
  const { pointerId, clientX, clientY } = down;
  let ghost: HTMLElement | null = null;

  const move = (event: PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    const { clientX: x, clientY: y } = event;
    if (ghost === null) {
      if (Math.hypot(x - clientX, y - clientY) < THRESHOLD) return;
      ghost = h('div', { class: 'ghost', style: `width:${dragged.width}px` });
      ghost.append(dragged.picture());
      document.body.append(ghost);
      dragged.begun();
    }
    ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    dragged.over(x, y);
  };
  const end = (event: PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    stop.abort();
    const wasDragged = ghost !== null;
    ghost?.remove();
    const gone = event.type === 'pointercancel';
    dragged.dropped(
      wasDragged && !gone ? { x: event.clientX, y: event.clientY } : null,
      !wasDragged && !gone,
    );
  };
  const stop = new AbortController();
  const { signal } = stop;
  element.setPointerCapture(pointerId);
  element.addEventListener('pointermove', move, { signal });
  element.addEventListener('pointerup', end, { signal });
  element.addEventListener('pointercancel', end, { signal });
}
