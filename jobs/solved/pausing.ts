/** A prober that does something before each position: it lets other work through, or shows progress. */
export function pausing<Asking extends { probe(position: never): Promise<unknown> }>(
  prober: Asking,
  pause: () => Promise<void>,
): Asking {
  return {
    ...prober,
    async probe(position: never) {
      await pause();
      return prober.probe(position);
    },
  };
}
