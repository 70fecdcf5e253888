import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { sendRaw } from '#tests/attack/raw-request.ts';
import { startApp } from '#tests/support/processes/app.ts';

export const localPages: Attack = {
  name: 'mailbox and test store from elsewhere',
  async run({ client, attackers: [attacker] }) {
    const found: string[] = [];
    const token = attacker?.accessToken ?? '';
    const purchase = { body: { productId: 'premium_monthly', outcome: 'paid' }, token };
    const from = addressIn(1, 1);
    if ((await client.call('/mailbox', { from })).status !== 404) found.push('the mailbox opens to another address');
    if ((await client.call('/api/test-store/purchases', { ...purchase, from })).status < 400)
      found.push('the test store sells to another address');
    for (const host of ['evil.example', `evil.example:${new URL(client.url).port}`, '127.0.0.1.evil.example', 'localhost.evil.example']) {
      const reply = await sendRaw(client.url, { method: 'GET', path: '/mailbox', headers: { host } });
      if (reply?.status === 200) found.push(`the mailbox opens to the host ${host}`);
    }
    // Listens on the network, although its public address is a loopback address.
    const started = await startApp({ HOST: '0.0.0.0' }).then(
      async (app) => {
        await app.remove();
        return true;
      },
      (error: unknown) => !/cannot start\. HOST/.test(String(error)),
    );
    if (started) found.push('the server starts with HOST=0.0.0.0 and a loopback PUBLIC_URL');
    return { tries: 7, isHeld: found.length === 0, evidence: found.join('; ') || 'refused; HOST=0.0.0.0 ends the start' };
  },
};
