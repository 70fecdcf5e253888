/** Waits for work, at most for `limit` ms: then undefined. Rejects as the work does until then; what it does later is its own. */
export async function within<T>(limit: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limit);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
