import { createConnection } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SOCKET_PATH } from '#contract/paths.ts';
import { joinRaw, openRaw, type RawSocket } from '#tests/support/server/raw-socket.ts';
import { connect, gone, next, send, type TestSocket } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';
import { untilClosed } from '#tests/support/server/until-closed.ts';

const PER_USER = 3;
const PER_NETWORK = 8;
/** More packets than a socket may send in a minute. */
const MANY = 700;
const repeated = (text: string) => Array.from({ length: MANY }, () => text);

let server: TestServer;
let ann: SignedUp;
let bystander: TestSocket;
let networks = 0;
const open: { disconnect(): void }[] = [];
/** Neither signs in. Both wait for the server to close them while the other tests run. */
let stranger: RawSocket;
let halfHandshake: Promise<unknown>;

beforeAll(async () => {
  const env = { TRUST_PROXY: 'on', MAX_SOCKETS_PER_USER: String(PER_USER), MAX_SOCKETS_PER_NETWORK: String(PER_NETWORK) };
  server = await startServer({ env });
  ann = await server.signUp();
  const bob = await server.signUp();
  bystander = await connect(server.url, bob.tokens.accessToken);
  stranger = openRaw(server.url, { headers: elsewhere() });
  await stranger.hear('"sid"');
  const tcp = createConnection(Number(new URL(server.url).port), '127.0.0.1').resume();
  tcp.on('error', () => undefined).write(`GET ${SOCKET_PATH}/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\n`);
  halfHandshake = untilClosed(tcp);
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(async () => {
  bystander.disconnect();
  await server.close();
});

/** Returns headers of an unused network. */
const elsewhere = () => ({ 'x-forwarded-for': `203.0.113.${++networks}` });

async function arrive(who: SignedUp, headers: Record<string, string>): Promise<TestSocket> {
  const socket = await connect(server.url, who.tokens.accessToken, headers);
  open.push(socket);
  return socket;
}

async function attack(who = ann): Promise<RawSocket> {
  const socket = await joinRaw(server.url, who.tokens.accessToken, elsewhere());
  open.push({ disconnect: () => socket.tcp.destroy() });
  return socket;
}

function openHalf(options: Parameters<typeof openRaw>[1]): RawSocket {
  const socket = openRaw(server.url, options);
  open.push({ disconnect: () => socket.tcp.destroy() });
  return socket;
}

describe('a socket that sends too much is cut, and others are not', () => {
  test.each<[string, (socket: RawSocket) => void]>([
    ['questions', (socket) => socket.send(...repeated('421["chat_message",{}]'))],
    ['coins to watch', (socket) => socket.send(...repeated('42["watch_coins",[1]]'))],
    ['empty lists of coins', (socket) => socket.send(...repeated('42["watch_coins",[]]'))],
    ['unknown events', (socket) => socket.send(...repeated('42["anything"]'))],
    ['acknowledgements of nothing', (socket) => socket.send(...repeated('437[]'))],
    ['pongs of the transport', (socket) => socket.send(...repeated('3'))],
    ['pings of the WebSocket', (socket) => socket.ping(MANY)],
    ['a single binary frame', (socket) => socket.sendBinary(Buffer.alloc(10))],
    [
      'an event with parts that are still to come',
      (socket) => {
        socket.send('451-["chat_message",{"_placeholder":true,"num":0}]');
        socket.sendBinary(Buffer.alloc(10));
      },
    ],
    ['another request to join', (socket) => socket.send('40')],
    ['many requests to join', (socket) => socket.send(...repeated('40/other,'))],
  ])('%s', async (_name, flood) => {
    const socket = await attack();
    flood(socket);
    await socket.closed;
    expect(await send(bystander, 'no question')).toMatchObject({ error: { status: 400 } });
  });

  test('and the operator sees it', async () => {
    const seen: string[] = [];
    const watched = await startServer({ env: { LOG_LEVEL: 'info' }, logTo: { write: (line) => void seen.push(line) } });
    try {
      const socket = await joinRaw(watched.url, (await watched.signUp()).tokens.accessToken);
      socket.send(...repeated('3'));
      await socket.closed;
      const line = seen.find((text) => text.includes('socket-cut')) ?? '{}';
      expect(JSON.parse(line)).toMatchObject({ audit: 'socket-cut', network: '127.0.0.0/24', about: 'packets' });
    } finally {
      await watched.close();
    }
  });
});

test('lists of coins of 60 KB and of any depth cost nothing and are ignored', async () => {
  const socket = await attack();
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const long = JSON.stringify(Array.from({ length: 12_000 }, () => 'x1'));
  for (let round = 0; round < 20; round++) socket.send(`42["watch_coins",${deep}]`, `42["watch_coins",${long}]`);
  socket.send('421["chat_message",{}]');
  await socket.hear('431[{"error"');
});

test('another namespace does not exist', async () => {
  const socket = openHalf({ token: ann.tokens.accessToken, headers: elsewhere() });
  await socket.hear('"sid"');
  socket.send('40/admin,');
  await socket.hear('44/admin,{"message":"Invalid namespace"}');
});

test('two requests to join at once make no two sockets of one connection', async () => {
  const socket = openHalf({ token: ann.tokens.accessToken, headers: elsewhere() });
  await socket.hear('"sid"');
  socket.send('40', '40', '40');
  await socket.closed;
});

test.each(['&sid=', '&a=1?&sid=', '&%73id='])(
  'a handshake that names a connection by "%s" is refused: it would not be counted',
  async (name) => {
    const first = await attack();
    const sid = /"sid":"([^"]+)"/.exec(first.received())?.[1] ?? '';
    expect(sid).not.toBe('');
    const second = openHalf({ query: `${name}${sid}`, headers: elsewhere() });
    await second.closed;
    expect(second.received()).toMatch(/^HTTP\/1\.1 400 /);
  },
);

test('a handshake with headers of 100 KB is refused', async () => {
  const socket = openHalf({ headers: { ...elsewhere(), 'x-padding': 'x'.repeat(100_000) } });
  await socket.closed;
  expect(socket.received()).toMatch(/^HTTP\/1\.1 431 |^$/);
});

describe('the sockets of a user', () => {
  test('make room for a newer one: the oldest of the same session is closed with a reason', async () => {
    const user = await server.signUp();
    const login = await server.post('/auth/login/', { email: user.user.email, password: user.password });
    const phone = { ...user, tokens: (await login.json()).data };
    const headers = elsewhere();
    const desktop = await arrive(user, headers);
    const zombie = await arrive(phone, headers);
    const tab = await arrive(user, headers);
    const [told, left] = [next(zombie, 'displaced'), gone(zombie)];
    const back = await arrive(phone, headers);
    await told;
    expect(await left).toBe('io server disconnect');
    expect([desktop.connected, tab.connected, back.connected]).toEqual([true, true, true]);
  });

  test('of another session go only where the session has none', async () => {
    const user = await server.signUp();
    const login = await server.post('/auth/login/', { email: user.user.email, password: user.password });
    const headers = elsewhere();
    const tabs = [await arrive(user, headers), await arrive(user, headers), await arrive(user, headers)];
    const left = gone(tabs[0] as TestSocket);
    const phone = await arrive({ ...user, tokens: (await login.json()).data }, headers);
    expect(await left).toBe('io server disconnect');
    expect([...tabs.slice(1), phone].every(({ connected }) => connected)).toBe(true);
  });

  test('cannot come and go without end', async () => {
    const user = await server.signUp();
    const refusals: unknown[] = [];
    for (let attempt = 0; attempt < 7 * PER_USER; attempt++) {
      const came = await connect(server.url, user.tokens.accessToken, elsewhere()).catch((error: unknown) => error);
      if (came instanceof Error) refusals.push(came);
      else (came as TestSocket).disconnect();
    }
    expect(refusals).toHaveLength(PER_USER);
    expect(refusals[0]).toMatchObject({ data: { code: 'too_many_requests' } });
  });
});

describe('the sockets of a network', () => {
  test('are limited before they sign in, and freed when they close', async () => {
    const headers = elsewhere();
    const silent = Array.from({ length: PER_NETWORK }, () => openHalf({ headers }));
    await Promise.all(silent.map((socket) => socket.hear('"sid"')));
    await expect(connect(server.url, ann.tokens.accessToken, headers)).rejects.toThrow();
    // Another network is not affected.
    expect((await arrive(ann, elsewhere())).connected).toBe(true);

    silent[0]?.tcp.destroy();
    await expect
      .poll(() =>
        connect(server.url, ann.tokens.accessToken, headers).then(
          (socket) => open.push(socket),
          () => 0,
        ),
      )
      .toBeGreaterThan(0);
  });

  test('that are refused are closed at once', async () => {
    const socket = openHalf({ token: 'not.a.token', headers: elsewhere() });
    await socket.hear('"sid"');
    const begun = Date.now();
    socket.send('40');
    await socket.closed;
    expect(socket.received()).toContain('44{"message"');
    expect(Date.now() - begun).toBeLessThan(8_000);
  });

  test('of one IPv6 customer count together', async () => {
    const addresses = Array.from({ length: PER_NETWORK }, (_, index) => ({ 'x-forwarded-for': `2001:db8:7:7::${index + 1}` }));
    const silent = addresses.map((headers) => openHalf({ headers }));
    await Promise.all(silent.map((socket) => socket.hear('"sid"')));
    await expect(connect(server.url, ann.tokens.accessToken, { 'x-forwarded-for': '2001:db8:7:7:ffff::1' })).rejects.toThrow();
  });

  test('of one IPv6 neighborhood have a limit, too', async () => {
    const from = (site: number) => ({ headers: { 'x-forwarded-for': `2001:db8:8:${site.toString(16)}::1` } });
    const silent = Array.from({ length: 10 * PER_NETWORK }, (_, site) => openHalf(from(site)));
    await Promise.all(silent.map((socket) => socket.hear('"sid"')));
    await expect(connect(server.url, ann.tokens.accessToken, from(0xffff).headers)).rejects.toThrow();
  });

  test('are identified by a forwarded address only behind a trusted proxy', async () => {
    const direct = await startServer({ env: { MAX_SOCKETS_PER_NETWORK: '2' } });
    try {
      const user = await direct.signUp();
      const come = () => connect(direct.url, user.tokens.accessToken, elsewhere());
      const sockets = [await come(), await come()];
      await expect(come()).rejects.toThrow();
      for (const socket of sockets) socket.disconnect();
    } finally {
      await direct.close();
    }
  });
});

test('ending a session closes its socket, even one that does not read', async () => {
  const user = await server.signUp();
  const socket = await attack(user);
  socket.tcp.pause();
  await fetch(`${server.url}/api/auth/logout/`, {
    method: 'POST',
    headers: { authorization: user.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken: user.tokens.refreshToken }),
  });
  socket.tcp.resume();
  await socket.closed;
});

test('a server that ends does not wait for clients that never close', async () => {
  const short = await startServer();
  const { accessToken } = (await short.signUp()).tokens;
  const sockets = [await joinRaw(short.url, accessToken), await joinRaw(short.url, accessToken), openRaw(short.url)];
  await sockets[2]?.hear('"sid"');
  const begun = Date.now();
  await short.close();
  await Promise.all(sockets.map(({ closed }) => closed));
  // Without the server's own limit, each client has 30 seconds to answer.
  expect(Date.now() - begun).toBeLessThan(20_000);
});

describe('a connection without a user', () => {
  test('is closed ten seconds after its handshake', { timeout: 30_000 }, () => stranger.closed);
  test('is closed in the middle of its handshake', { timeout: 30_000 }, () => halfHandshake);
});
