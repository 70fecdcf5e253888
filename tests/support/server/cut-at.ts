import type { Db } from '#server/db/open.ts';

/** Returns a database that fails after this many calls, as if the process were killed there. */
export function cutAt(db: Db, last: number): Db {
  let messages = 0;
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (messages++ >= last) throw new Error('killed');
        return value.apply(target, args);
      };
    },
  });
}
