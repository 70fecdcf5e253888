import { routesOfServer } from '#tests/attack/app-routes.ts';
import type { Attack } from '#tests/attack/attack.ts';
import { buildCall, CALLS } from '#tests/attack/calls.ts';
import { addressIn } from '#tests/attack/client.ts';
import { createOwned } from '#tests/attack/owned.ts';

/** JSON texts that replace each field's value. */
const VALUES = [
  '{"length":{"toString":null}}',
  '{"toString":null,"valueOf":null}',
  '{"length":1,"trim":1,"match":1}',
  '{"__proto__":{"length":1}}',
  '[{"length":{"toString":null}}]',
  '1e400',
  '"\\ud800"',
  '"a\\u0000b"',
];

export const hostileBodies: Attack = {
  name: 'bodies whose fields have hostile types',
  async run({ client, attackers: [attacker], signal, isQuick }) {
    if (!attacker) throw new Error('an attacker is needed');
    const of = await createOwned(client, attacker);
    const failed = new Set<string>();
    let tries = 0;
    for (const route of await routesOfServer()) {
      const rule = CALLS[`${route.method} ${route.path}`];
      if (!rule?.body || rule.isForm) continue;
      for (const value of isQuick ? VALUES.slice(0, 3) : VALUES) {
        if (signal.aborted) break;
        const call = buildCall(route, of);
        const body = `{${Object.keys(call.body ?? {}).map((field) => `"${field}":${value}`)}}`;
        const { status } = await client.call(call.path, {
          method: call.method,
          body,
          token: attacker.accessToken,
          from: addressIn(0x600 + tries, 1),
          headers: { 'content-type': 'application/json' },
        });
        tries += 1;
        // The test store answers 503 to other machines.
        if (status === 0 || (status >= 500 && status !== 503)) failed.add(`${route.method} ${route.path} answered ${status} to ${value}`);
      }
    }
    return { tries, isHeld: !signal.aborted && failed.size === 0, evidence: [...failed].join('; ') || 'none answered with 5xx' };
  },
};
