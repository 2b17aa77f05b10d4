/** Moving through a list of buttons by the keys Up, Down, Home and End. */

/** The button that the key leads to; null for another key, or where no button of the list has the focus. */
export function steppedTo(
  event: KeyboardEvent,
  buttons: readonly HTMLButtonElement[],
): HTMLButtonElement | null {
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || at < 0) return null;
  event.preventDefault();
  return buttons[Math.max(0, Math.min(buttons.length - 1, to))];
}
