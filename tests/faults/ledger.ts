import path from 'node:path';
import { PLANS } from '#domain/plans/plans.ts';
import { openDurable } from '#server/db/embedded/durable.ts';

/** Queries that find broken invariants, once all questions are answered and if nothing was deleted. */
const FAULTS = {
  'charges of nothing, and questions and edits without theirs': `
    select coalesce(wanted.id, charges.id) from charges full join (
      select user_id, id as chat_id, unnest(array[id] || edits) as id from chats
    ) wanted on wanted.user_id = charges.user_id and wanted.id = charges.id and wanted.chat_id = charges.chat_id
    where wanted.id is null or charges.id is null`,
  'charges still reserved': `select id from charges where state = 'reserved'`,
  'answers not charged, and failures charged': `
    select chats.id from chats join charges on charges.user_id = chats.user_id
      and charges.id = coalesce(chats.edits[cardinality(chats.edits)], chats.id)
    where charges.state <> case when chats.failed or (chats.stopped and chats.started_at is null) then 'returned' else 'spent' end`,
  'allowances overdrawn': `
    select user_id, kind from charges where state <> 'returned' group by user_id, month, kind
    having count(*) > case kind when 'chart' then ${PLANS.FREE.chartAnalyses} else ${PLANS.FREE.questions} end`,
};

/** Counts wrong charges in the data of a stopped server. */
export async function miscounted(dataDir: string): Promise<number> {
  const database = await openDurable(path.join(dataDir, 'db'));
  try {
    return await countMiscounted((query) => database.query(query));
  } finally {
    await database.close();
  }
}

/** Counts wrong charges in a database, and prints them. */
export async function countMiscounted(run: (query: string) => Promise<{ rows: unknown[] }>): Promise<number> {
  let found = 0;
  for (const [name, query] of Object.entries(FAULTS)) {
    const { rows } = await run(query);
    if (rows.length > 0) console.error(`${rows.length} × ${name}: ${JSON.stringify(rows)}`);
    found += rows.length;
  }
  return found;
}
