/** The values of all. Waits for all, also when one fails, so that nothing goes on behind the first error. */
export async function allOf<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
