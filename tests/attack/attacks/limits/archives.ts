import { randomUUID } from 'node:crypto';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';

/** Limits on the archives of a user and of a page. */
const MAX_ARCHIVES = 5_000;
const PAGE = 100;
const SEEDED = MAX_ARCHIVES - 10;
const TRIES = 40;

export const archives: Attack = {
  name: 'more archives than a user may have',
  async seed(query) {
    await query(`
      insert into archives (user_id, id, title, folded_title, created_at)
      select (select id from users where email = 'attacker-0@example.com'), gen_random_uuid(), 'Archive ' || n, 'archive ' || n,
        now() - n * interval '1 second'
      from generate_series(1, ${SEEDED}) as n`);
  },
  async run({ client, attackers: [attacker], signal }) {
    const { userId = '', accessToken: token = '' } = attacker ?? {};
    const from = addressIn(1, 1);
    let [created, refused, longest, slowest] = [0, 0, 0, 0];
    for (let attempt = 0; attempt < TRIES && !signal.aborted; attempt++) {
      const { status } = await client.call('/api/chat/archives/', { body: { userId, id: randomUUID() }, token, from });
      if (status === 201) created += 1;
      else if (status === 409) refused += 1;
    }
    for (const text of ['', 'a', '%', 'archive 4', 'e'.repeat(200)]) {
      const { json, ms } = await client.call(`/api/user/${userId}/archives/${encodeURIComponent(text)}`, { token, from });
      longest = Math.max(longest, ((json as { data?: unknown[] } | undefined)?.data ?? []).length);
      slowest = Math.max(slowest, ms);
    }
    return {
      tries: TRIES + 5,
      isHeld: SEEDED + created <= MAX_ARCHIVES && refused > 0 && longest <= PAGE,
      evidence: `${SEEDED + created} archives, ${refused} refused; longest page ${longest}, slowest ${Math.round(slowest)} ms`,
    };
  },
};
