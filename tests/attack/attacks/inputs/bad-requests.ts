import { apiError } from '#contract/errors.ts';
import { API_PREFIX } from '#contract/paths.ts';
import { routesOfServer } from '#tests/attack/app-routes.ts';
import type { Attack } from '#tests/attack/attack.ts';
import { buildCall, CALLS } from '#tests/attack/calls.ts';
import { addressIn } from '#tests/attack/client.ts';
import { mutate } from '#tests/attack/mutate.ts';
import { createOwned } from '#tests/attack/owned.ts';
import { type RawReply, type RawRequest, sendRaw } from '#tests/attack/raw-request.ts';

const REQUESTS = 5_000;
const QUICK_REQUESTS = 300;
const AT_ONCE = 8;

/** Returns what is wrong with a refusal, or undefined. */
function complaint({ status, type, text }: RawReply, { path, method }: RawRequest): string | undefined {
  if (status === 0) return `no answer (${text})`;
  // 503 has the shape of an error as well.
  if (status >= 500 && status !== 503) return `answered ${status}`;
  const hasShape = status >= 400 && status !== 431 && method !== 'HEAD' && path.startsWith(API_PREFIX) && type.includes('json');
  if (!hasShape) return undefined;
  const { success } = apiError.safeParse(JSON.parse(text));
  return success ? undefined : `a ${status} without the shape of an error`;
}

export const badRequests: Attack = {
  name: '5,000 requests with mistakes in them',
  async run({ client, attackers, random, isQuick, signal }) {
    const [owner] = attackers;
    if (!owner) throw new Error('an attacker is needed');
    const of = await createOwned(client, owner);
    const routes = (await routesOfServer()).filter(({ method, path }) => CALLS[`${method} ${path}`] && !path.endsWith('logout'));
    const wanted = isQuick ? QUICK_REQUESTS : REQUESTS;
    const found = new Map<string, number>();
    let tries = 0;

    function next(): RawRequest {
      const call = buildCall(routes[Math.floor(random() * routes.length)] as { method: string; path: string }, of);
      const person = attackers[tries % attackers.length];
      const isJson = call.body !== undefined && !(call.body instanceof FormData);
      return mutate(
        {
          method: call.method,
          path: call.path,
          headers: {
            authorization: `Bearer ${person?.accessToken}`,
            'x-forwarded-for': addressIn(0x400 + (tries % 500), tries),
            ...(isJson && { 'content-type': 'application/json' }),
          },
          body: isJson ? Buffer.from(JSON.stringify(call.body)) : undefined,
        },
        random,
      );
    }

    async function work(): Promise<void> {
      while (tries < wanted && !signal.aborted) {
        const request = next();
        tries += 1;
        const reply = await sendRaw(client.url, request);
        const wrong = reply && complaint(reply, request);
        if (!wrong) continue;
        const line = `${request.method} ${request.path.slice(0, 60)}: ${wrong}`;
        if (found.size < 20) found.set(line, (found.get(line) ?? 0) + 1);
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return {
      tries,
      isHeld: tries === wanted && found.size === 0,
      evidence: [...found].map(([line, times]) => `${times} × ${line}`).join('; ') || 'each refused or answered, none with 5xx',
    };
  },
};
