/** Does some work on what is being written. If the work fails, nothing is left of that. */
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
