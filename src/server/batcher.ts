/** How many share a round, unless a caller says less or more. */
const MOST_AT_ONCE = 250;

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Makes one call of many: what is asked while a round is on shares the next one. `run` gives an answer to each item, in
 * their order, or the Error that it shall reject with. A round that fails as a whole is tried item by item, so that the
 * one at fault takes nobody along. Not to be called inside a transaction: the round would wait for its end.
 */
export function gather<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>,
  mostAtOnce = MOST_AT_ONCE,
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let running = false;

  async function settle(group: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await run(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, index) => {
        const answer = answers[index] as Answer | Error;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const one of group) await settle([one]);
    }
  }

  async function rounds(): Promise<void> {
    running = true;
    for (;;) {
      // Whoever goes on with what the last round answered asks before this is over.
      await new Promise(setImmediate);
      if (waiting.length === 0) break;
      const group = waiting.slice(0, mostAtOnce);
      waiting = waiting.slice(mostAtOnce);
      await settle(group);
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void rounds();
    });
}

/** Rows by what `keyOf` says, each key's in their order. */
export function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
