import dns from 'node:dns';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { preferencesOf } from '#tests/support/notifications/preferences.ts';
import { startPushService } from '#tests/support/push/push-service.ts';
import { pushUsers } from '#tests/support/push/push-user.ts';
import { createReceiver } from '#tests/support/push/receiver.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

/** What the name servers answer, one after the other; the last answer stays. */
const names = { answers: [] as string[][], asked: 0 };

/** Answers questions for `HOST`. Others go to the machine's own name server. */
function answerNames(): void {
  const { lookup } = dns;
  type Done = (error: null, addresses: { address: string; family: number }[]) => void;
  const answer = (name: string, options: object, done: Done) => {
    if (name !== HOST) return lookup(name, options as never, done as never);
    const [addresses = []] = names.answers;
    if (names.answers.length > 1) names.answers.shift();
    names.asked += 1;
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => done(null, found));
  };
  vi.spyOn(dns, 'lookup').mockImplementation(answer as never);
}

/** Counts as public, and is in a network that was given back: nothing answers there. */
const PUBLIC = '3ffe::1';
const HOST = 'rebinding.example.com';

let inside: Server;
let connections = 0;
let port: number;
let server: TestServer;
let ada: SignedUp;

beforeAll(async () => {
  inside = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  port = (inside.address() as { port: number }).port;
  server = await startServer({ deliveryPoll: 20 });
  answerNames();
});
beforeEach(async () => {
  Object.assign(names, { answers: [[PUBLIC]], asked: 0 });
  connections = 0;
  ada = await server.signUp();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server.close();
  await new Promise((resolve) => inside.close(resolve));
});

describe('a webhook', () => {
  test.each([
    ['this machine', ['127.0.0.1']],
    ['a public and a private address', [PUBLIC, '127.0.0.1']],
    ['a private address in IPv6', ['::ffff:127.0.0.1']],
    ['no address', []],
  ])('whose name means %s when it is connected to is refused', async (_what, addresses) => {
    const own = preferencesOf(server, ada);
    await own.setWebhook(`https://${HOST}:${port}/hook`);
    names.answers = [addresses];
    expect(await own.testWebhook()).toContain('private network');
    expect(connections).toBe(0);
  });

  test('is connected to at the address that was checked, whatever its name means a moment later', { timeout: 40_000 }, async () => {
    const own = preferencesOf(server, ada);
    await own.setWebhook(`https://${HOST}:${port}/hook`);
    names.answers = [[PUBLIC], ['127.0.0.1']];
    expect(await own.testWebhook()).toContain('does not answer');
    expect({ asked: names.asked, connections }).toEqual({ asked: 1, connections: 0 });
    expect(await own.testWebhook()).toContain('private network');
    expect(connections).toBe(0);
  });
});

test('a push service whose name means this machine when it is connected to gets nothing, and its subscription ends', async () => {
  const service = await startPushService();
  const push = pushUsers(server, service);
  const { keys } = createReceiver();
  const endpoint = `https://${HOST}:${port}/browser`;
  expect((await push.send('/subscriptions', { endpoint, keys, key: await push.key(ada) }, ada)).status).toBe(200);
  names.answers = [['127.0.0.1']];
  for (let refused = 1; refused <= 5; refused++) {
    await push.notify(ada);
    await vi.waitFor(async () => expect(await push.rows(ada)).toMatchObject([{ failures: refused }]));
  }
  expect(await push.rows(ada)).toMatchObject([{ endedAt: expect.any(Date) }]);
  expect(connections).toBe(0);
  await service.close();
});
