let underWay = 0;
const waiting = new Set<() => void>();

/** Counts a request for as long as its answer is awaited. */
export async function counted<Answer>(request: Promise<Answer>): Promise<Answer> {
  underWay++;
  try {
    return await request;
  } finally {
    underWay--;
    if (underWay === 0) for (const resolve of [...waiting]) resolve();
  }
}

/** Resolves once no request is under way, and in any case after `limit` ms: what can wait leaves the line to what is looked at. */
export function untilQuiet(limit: number): Promise<void> {
  if (underWay === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      waiting.delete(done);
      resolve();
    };
    const timer = setTimeout(done, limit);
    waiting.add(done);
  });
}
