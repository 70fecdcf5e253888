import { routesOfServer } from '../../app-routes';
import type { Attack } from '../../attack';
import { buildCall, CALLS, type Owned } from '../../calls';
import { addressIn, type Client, type Reply } from '../../client';
import { createOwned, MARK } from '../../owned';

/** What the owner reads of everything that has an id: the same before and after, or somebody changed it. */
async function everythingOf(client: Client, { userId, archiveId, botId, imageId }: Owned, token: string): Promise<string> {
  const paths = [
    `/api/auth/user/${userId}`,
    `/api/auth/user/${userId}/picture`,
    `/api/user/${userId}/archives`,
    `/api/archive/${archiveId}/chats`,
    `/api/chat/images/${imageId}`,
    '/api/contact-us/messages',
    `/api/v1/trading-bots/${botId}`,
  ];
  const texts: string[] = [];
  for (const path of paths) {
    const { status, text } = await client.call(path, { token });
    // What time alone moves.
    texts.push(`${status} ${text.replace(/"(last_exchange_at|status|equity|paused_reason)":("[^"]*"|[^,}]*)/g, '')}`);
  }
  return texts.join('\n');
}

const shows = ({ text }: Reply, of: Owned): boolean => text.includes(MARK) || text.includes(of.email);

export const twoUsers: Attack = {
  name: "another user's ids on every route",
  isQuick: true,
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
    // The same calls reach the rows of their owner: a wrong rule would prove nothing.
    for (const route of routes.filter(({ method, path }) => method === 'GET' && CALLS[`${method} ${path}`]?.access === 'named')) {
      const call = buildCall(route, of);
      const { status } = await client.call(call.path, { token: owner.accessToken, from: addressIn(7, tries++) });
      if (status !== 200) found.push(`GET ${route.path} answers ${status} to its owner`);
    }
    if ((await everythingOf(client, of, owner.accessToken)) !== before) found.push("the owner's data changed");
    found.push(...missing.map((route) => `${route} has no rule in tests/attack/calls.ts`));
    return { tries, isHeld: !signal.aborted && found.length === 0, evidence: found.join('; ') || `${routes.length} routes` };
  },
};
