/** Runs `work` on an object that is being written, and aborts the object if the work fails, so that no part of it stays in the store. */
export async function orAbort<T>(
  output: { readonly abort: () => Promise<void> },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await output.abort();
    throw error;
  }
}
