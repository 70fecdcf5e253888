import { randomUUID } from 'node:crypto';
import { tokensAnswer } from '#contract/account/tokens.ts';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { startBybit } from '#tests/support/bots/bybit/bybit-server.ts';

const NEW_PASSWORD = 'Stolen-pass-1';

export const stolenSession: Attack = {
  name: 'an old session without the password',
  async prepare() {
    const exchange = await startBybit({ now: Date.now, price: () => 100_000 });
    const env = { EXCHANGE: 'bybit', EXCHANGE_BASE_URL: exchange.url, REFERRAL_CODE: '77' };
    return { env, close: () => exchange.close() };
  },
  async seed(query) {
    await query("update sessions set proven_at = now() - interval '1 hour', created_at = now() - interval '1 hour'");
  },
  async run({ client, oldSessions: [stolen] }) {
    if (!stolen) throw new Error('an old session is needed');
    const { userId, refreshToken } = stolen;
    const refreshed = await client.call('/api/auth/refresh-token/', { body: { refreshToken }, from: addressIn(1, 1) });
    const token = tokensAnswer.parse(refreshed.json).data.accessToken;
    const found: string[] = [];
    const expectRefusal = async (what: string, path: string, init: Parameters<typeof client.call>[1]) => {
      const { status, text } = await client.call(path, {
        token,
        from: addressIn(1, 1),
        headers: { 'idempotency-key': randomUUID() },
        ...init,
      });
      if (status !== 403 || !text.includes('re_authentication_required')) found.push(`${what} answered ${status}`);
    };
    const form = new FormData();
    form.append('user_id', userId);
    form.append('password', NEW_PASSWORD);
    await expectRefusal('a new password', `/api/auth/user/${userId}/`, { method: 'PATCH', body: form });
    const bot = {
      bot_name: 'Tide',
      position_size: '1000',
      leverage: 15,
      api_key: 'k'.repeat(20),
      secret_key: 's'.repeat(20),
      confirm_live: 'LIVE',
    };
    await expectRefusal('a live bot', '/api/v1/trading-bots', { body: bot });

    const login = await client.call('/api/auth/login/', { body: { email: stolen.email, password: NEW_PASSWORD } });
    if (login.status === 200) found.push('the new password opens the account');
    return { tries: 3, isHeld: found.length === 0, evidence: found.join(', ') || 'asked for the password each time' };
  },
};
