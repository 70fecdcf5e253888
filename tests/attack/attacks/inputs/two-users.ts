import { routesOfServer } from '#tests/attack/app-routes.ts';
import type { Attack } from '#tests/attack/attack.ts';
import { buildCall, CALLS, type Owned } from '#tests/attack/calls.ts';
import { addressIn, type Client, type Reply } from '#tests/attack/client.ts';
import { createOwned, MARK } from '#tests/attack/owned.ts';

/** Routes that return everything with an id. */
const paths = ({ userId, archiveId, botId, imageId }: Owned): string[] => [
  `/api/auth/user/${userId}`,
  `/api/auth/user/${userId}/picture`,
  `/api/user/${userId}/archives`,
  `/api/archive/${archiveId}/chats`,
  `/api/chat/images/${imageId}`,
  '/api/contact-us/messages',
  `/api/v1/trading-bots/${botId}`,
];

/** Reads everything the owner has. A difference after the attack means that another user changed it. */
async function everythingOf(client: Client, of: Owned, token: string): Promise<string[]> {
  const texts: string[] = [];
  for (const path of paths(of)) {
    const { status, text, json } = await client.call(path, { token });
    const { data } = (json ?? {}) as { data?: { bot_name?: string; key_hint?: string; position_size?: number } };
    // Only fields of a bot that trading does not change.
    texts.push(data?.bot_name ? JSON.stringify([data.bot_name, data.key_hint, data.position_size]) : `${status} ${text}`);
  }
  return texts;
}

const shows = ({ text }: Reply, of: Owned): boolean => text.includes(MARK) || text.includes(of.email);

export const twoUsers: Attack = {
  name: "another user's ids on every route",
  async run({ client, attackers: [owner, other], signal }) {
    if (!owner || !other) throw new Error('two attackers are needed');
    const routes = await routesOfServer();
    const missing = routes.filter(({ method, path }) => !CALLS[`${method} ${path}`]).map(({ method, path }) => `${method} ${path}`);
    const of = await createOwned(client, owner);
    const before = await everythingOf(client, of, owner.accessToken);
    const found: string[] = [];
    let tries = 0;
    for (const route of routes.filter(({ method, path }) => CALLS[`${method} ${path}`])) {
      if (signal.aborted) break;
      const { rule, ...call } = buildCall(route, of);
      const name = `${route.method} ${route.path}`;
      if (rule.access === 'public') {
        const answer = await client.call(call.path, { ...call, from: addressIn(5, tries++) });
        if (shows(answer, of)) found.push(`${name} shows the owner's data to anybody`);
        continue;
      }
      const stranger = await client.call(call.path, { ...call, from: addressIn(5, tries++) });
      if (stranger.status !== 401) found.push(`${name} answers ${stranger.status} without a session`);
      // Signing out would end the other user's session.
      if (rule.access === 'self' && /auth\/(logout|sessions)$/.test(route.path)) continue;
      const again = buildCall(route, of);
      const answer = await client.call(again.path, { ...again, token: other.accessToken, from: addressIn(6, tries++) });
      if (shows(answer, of)) found.push(`${name} shows the owner's data to another user`);
      if (rule.access === 'named' && ![401, 403, 404].includes(answer.status))
        found.push(`${name} answers ${answer.status} to another user`);
    }
    // The same calls work for the owner; otherwise a wrong rule would prove nothing.
    for (const route of routes.filter(({ method, path }) => method === 'GET' && CALLS[`${method} ${path}`]?.access === 'named')) {
      const call = buildCall(route, of);
      const { status } = await client.call(call.path, { token: owner.accessToken, from: addressIn(7, tries++) });
      // 409 names a state of the row, which only its owner may see.
      if (status !== 200 && status !== 409) found.push(`GET ${route.path} answers ${status} to its owner`);
    }
    const after = await everythingOf(client, of, owner.accessToken);
    const changed = paths(of).filter((_, index) => after[index] !== before[index]);
    if (changed.length > 0) found.push(`the owner's data changed at ${changed.join(', ')}`);
    found.push(...missing.map((route) => `${route} has no rule in tests/attack/calls.ts`));
    return { tries, isHeld: !signal.aborted && found.length === 0, evidence: found.join('; ') || `${routes.length} routes` };
  },
};
