/** Waits for work, at most for `limit` ms. Rejects as the work does until then; what it does later is its own. */
export async function within(limit: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limit);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
