/** A pointer that is followed from where it goes down until it is let go. */

/** Pixels a pointer moves before it drags. */
const THRESHOLD = 5;

interface Followed {
  /** It is over a point of the window; `begins` for the first. */
  moved(x: number, y: number, begins: boolean): void;
  /** It is let go; null where it was not dragged at all but pressed, or taken away by the system. */
  dropped(at: { readonly x: number; readonly y: number } | null, pressed: boolean): void;
}

/** @param down the event that may begin a drag. */
export function followPointer(down: PointerEvent, { moved, dropped }: Followed): void {
  const element = down.currentTarget as HTMLElement;
  const { pointerId, clientX, clientY } = down;
  let isDragged = false;
  const stop = new AbortController();
  const listen = (name: 'pointermove' | 'pointerup' | 'pointercancel', act: (event: PointerEvent) => void) =>
    element.addEventListener(name, (event) => event.pointerId === pointerId && act(event), {
      signal: stop.signal,
    });
  const end = (event: PointerEvent) => {
    stop.abort();
    const gone = event.type === 'pointercancel';
    dropped(isDragged && !gone ? { x: event.clientX, y: event.clientY } : null, !isDragged && !gone);
  };
  element.setPointerCapture(pointerId);
  listen('pointermove', ({ clientX: x, clientY: y }) => {
    if (!isDragged && Math.hypot(x - clientX, y - clientY) < THRESHOLD) return;
    moved(x, y, !isDragged);
    isDragged = true;
  });
  listen('pointerup', end);
  listen('pointercancel', end);
}
