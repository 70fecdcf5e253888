import { randomBytes } from 'node:crypto';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';

const TRIES = 40;
/** Five checks a minute, twice because a minute may end during the attack. */
const MAX_CHECKED = 10;

export const botKeys: Attack = {
  name: 'exchange keys tried one after another',
  async run({ client, attackers: [attacker], signal }) {
    const statuses = new Map<number, number>();
    let tries = 0;
    for (; tries < TRIES && !signal.aborted; tries++) {
      const keys = { api_key: randomBytes(9).toString('hex'), secret_key: randomBytes(18).toString('hex') };
      const { status } = await client.call('/api/v1/trading-bots', {
        body: { bot_name: 'Tide', position_size: '1000', leverage: 15, ...keys },
        token: attacker?.accessToken ?? '',
        from: addressIn(1, tries),
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const checked = tries - (statuses.get(429) ?? 0);
    const answers = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
    return { tries, isHeld: tries === TRIES && checked <= MAX_CHECKED, evidence: `${checked} checked (${answers})` };
  },
};
