type Results<T extends readonly unknown[]> = { -readonly [Place in keyof T]: Awaited<T[Place]> };

/**
 * Runs statements of one transaction that need nothing of each other: they reach PostgreSQL in one message, in any order. Waits for
 * all before it throws the first failure: none may run after the rollback.
 */
export async function together<T extends readonly (PromiseLike<unknown> | undefined)[]>(...work: T): Promise<Results<T>> {
  // Waits for each once, because a statement of drizzle runs each time that it is waited for.
  const settled = await Promise.allSettled(work);
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  }) as Results<T>;
}
