/** Waits for all promises, also after one has failed, so that no work goes on once the error is reported. Returns their values or throws the first error. */
export async function allOf<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
