import { randomUUID } from 'node:crypto';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';

const SEEDED = 5_000;
const TRIES = 50;
/** Limit on stored answers of one user. */
const MAX_KEPT = 1_000;

export const storedAnswers: Attack = {
  name: 'idempotency keys without end',
  async seed(query) {
    await query(`
      insert into idempotency (user_id, key, route, request_hash, status, answer, created_at)
      select (select id from users where email = 'attacker-0@example.com'), 'seeded-' || n, 'POST /api/watchlist', 'x', 200, '{}',
        now() - n * interval '1 second'
      from generate_series(1, ${SEEDED}) as n`);
  },
  async run({ client, attackers: [attacker], signal }) {
    const { userId = '', accessToken: token = '' } = attacker ?? {};
    const send = async (key: string) => {
      const body = { userId, cryptoId: 1, cryptoSymbol: 'X'.repeat(60), cryptoName: 'Y'.repeat(200), actionType: 1 };
      const { status } = await client.call('/api/watchlist', {
        body,
        token,
        headers: { 'idempotency-key': key },
        from: addressIn(1, 1),
      });
      return status;
    };
    let done = 0;
    for (let attempt = 0; attempt < TRIES && !signal.aborted; attempt++) if ((await send(randomUUID())) === 200) done += 1;
    // A stored key with another body answers 422; a deleted key answers 200.
    const recent = await send('seeded-1');
    const old = await send(`seeded-${MAX_KEPT + 1}`);
    return {
      tries: TRIES + 2,
      isHeld: done === TRIES && recent === 422 && old === 200,
      evidence: `of ${SEEDED + done} answers, the newest answers ${recent} and the ${MAX_KEPT + 1 + done}th ${old} (422: kept)`,
    };
  },
};
