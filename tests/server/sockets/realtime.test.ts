import { randomUUID } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ChatResponse } from '#contract/chat/chat.ts';
import { MAX_QUESTION } from '#contract/chat/question-limits.ts';
import { apiError } from '#contract/errors.ts';
import { SOCKET_PATH } from '#contract/paths.ts';
import type { ChatAck } from '#contract/socket.ts';
import { chats } from '#server/db/schema/chat.ts';
import { MAX_UNANSWERED } from '#server/modules/chat/ask-question.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { connect, gone, next, openSocket, questionOf, send, type TestSocket } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const ALLOWED = 'https://app.tidemark.example';
const analyst = scriptedAnalyst();
let server: TestServer;
let ann: SignedUp;
const open: TestSocket[] = [];

beforeAll(async () => {
  server = await startServer({ analyst, planOf: async () => 'PREMIUM', env: { ALLOWED_ORIGINS: ALLOWED } });
  ann = await server.signUp();
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(() => server.close());

async function arrive(who: SignedUp, headers?: Record<string, string>): Promise<TestSocket> {
  const socket = await connect(server.url, who.tokens.accessToken, headers);
  open.push(socket);
  return socket;
}

/** Signs a token for Ann's session that expires in `seconds`. */
function tokenEndingIn(seconds: number, secret = server.config.jwtSecret): Promise<string> {
  const claims = JSON.parse(Buffer.from(ann.tokens.accessToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  return new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + seconds })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));
}

describe('the handshake', () => {
  test.each([
    ['no token', async () => undefined],
    ['an empty token', async () => ''],
    ['no token at all', async () => 'not.a.token'],
    ["another server's token", () => tokenEndingIn(60, 'x'.repeat(40))],
    ['an expired token', () => tokenEndingIn(-5)],
    ['a very long token', async () => 'x'.repeat(8_000)],
  ])('refuses %s', async (_, token) => {
    const error = await connect(server.url, await token()).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ data: { code: 'unauthorized' } });
  });

  test('refuses the token of a session that was logged out', async () => {
    const user = await server.signUp();
    await logOut(user);
    await expect(connect(server.url, user.tokens.accessToken)).rejects.toMatchObject({ data: { code: 'unauthorized' } });
  });

  test('offers websocket only', async () => {
    const response = await fetch(`${server.url}${SOCKET_PATH}/?EIO=4&transport=polling&token=${ann.tokens.accessToken}`);
    expect(response.status).toBe(400);
  });

  test.each([
    ['the public address', () => new URL(server.config.publicUrl).origin],
    ['an allowed origin', () => ALLOWED],
    ['the host that is called', () => server.url],
  ])('lets pages of %s in', async (_, origin) => {
    expect((await arrive(ann, { origin: origin() })).connected).toBe(true);
  });

  test.each(['https://evil.example', 'null', 'https://app.tidemark.example.evil.example', 'http://app.tidemark.example'])(
    'keeps pages of %s out',
    async (origin) => {
      await expect(connect(server.url, ann.tokens.accessToken, { origin })).rejects.toThrow();
    },
  );
});

const logOut = (who: SignedUp) =>
  fetch(`${server.url}/api/auth/logout/`, {
    method: 'POST',
    headers: { authorization: who.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken: who.tokens.refreshToken }),
  });

describe('the end of a session', () => {
  test('drops its sockets at once and leaves those of other devices', async () => {
    const user = await server.signUp();
    const [here, stranger] = [await arrive(user), await arrive(ann)];
    const dropped = gone(here);
    expect((await logOut(user)).status).toBe(200);
    expect(await dropped).toBe('io server disconnect');
    expect(stranger.connected).toBe(true);
  });

  test('the end of the access token drops the socket', async () => {
    // Less than the 25 seconds between two pings, which pass with the token's time.
    const token = await tokenEndingIn(20);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = await connect(server.url, token);
    open.push(socket);
    const ended = gone(socket);
    vi.advanceTimersByTime(20_000);
    vi.useRealTimers();
    expect(await ended).toBe('io server disconnect');
    expect((await arrive(ann)).connected).toBe(true);
  });
});

describe('who hears what', () => {
  test('all of a user’s sockets receive the answer, and no other user’s', async () => {
    const user = await server.signUp();
    const [phone, laptop, stranger] = [await arrive(user), await arrive(user), await arrive(ann)];
    const overheard: ChatResponse[] = [];
    stranger.on('chat_response', (response) => overheard.push(response));
    const question = questionOf(user.user.id);
    const fits = (response: ChatResponse) => response.chat_id === question.client_id;
    const heard = [next(phone, 'chat_response', fits), next(laptop, 'chat_response', fits), next(laptop, 'generate_title_response')];
    await send(phone, question);
    const [onPhone, onLaptop] = await Promise.all(heard);
    expect(onLaptop).toEqual(onPhone);

    // The stranger's own answer would arrive after any overheard one.
    const own = questionOf(ann.user.id);
    const answered = next(stranger, 'chat_response', (response) => response.chat_id === own.client_id);
    await send(stranger, own);
    await answered;
    expect(overheard.map((response) => response.chat_id)).toEqual([own.client_id]);
  });

  test("a message in another user's name is refused", async () => {
    const user = await server.signUp();
    const socket = await arrive(user);
    expect(await send(socket, questionOf(ann.user.id))).toMatchObject({ error: { status: 404, code: 'not_found' } });
  });
});

describe('garbage', () => {
  const id = randomUUID();
  const good = (overrides: object) => ({ ...questionOf(ann.user.id), ...overrides });
  const nested = (depth: number): unknown => (depth === 0 ? {} : { inner: nested(depth - 1) });
  const bad: [string, () => unknown][] = [
    ['nothing', () => undefined],
    ['null', () => null],
    ['a number', () => 7],
    ['a string', () => 'chat_message'],
    ['a boolean', () => true],
    ['an empty object', () => ({})],
    ['an array', () => [good({})]],
    ['deep nesting', () => nested(500)],
    ['deep nesting in a field', () => good({ message: nested(500) })],
    ['no client id', () => good({ client_id: undefined })],
    ['a client id that is no id', () => good({ client_id: '1' })],
    ['SQL for a client id', () => good({ client_id: `${id}'; drop table chats; --` })],
    ['an object for a client id', () => good({ client_id: { toString: 'x' } })],
    ['an archive id that is no id', () => good({ archive_id: 'new' })],
    ['a missing archive id', () => good({ archive_id: null })],
    ['a missing user', () => good({ user_id: undefined })],
    ['a number for a user', () => good({ user_id: 5 })],
    ['a prototype for a user', () => JSON.parse(`{"__proto__": {"user_id": "${randomUUID()}"}}`) as unknown],
    ['an empty message', () => good({ message: '' })],
    ['a blank message', () => good({ message: ' \n\t ' })],
    ['a message that is too long', () => good({ message: 'x'.repeat(MAX_QUESTION + 1) })],
    ['a number for a message', () => good({ message: 42 })],
    ['a chat id of one', () => good({ chat_id: 1 })],
    ['a chat id that is no id', () => good({ chat_id: 'zero' })],
    ['a missing chat id', () => good({ chat_id: undefined })],
    ['a number for a picture', () => good({ chat_image: 3 })],
    ['a picture itself', () => good({ chat_image: 'data:image/png;base64,AA==' })],
  ];

  test('is refused in the one shape, whatever it is', async () => {
    let socket: TestSocket | undefined;
    for (const [index, [name, make]] of bad.entries()) {
      if (index % 20 === 0) socket = await arrive(await server.signUp());
      const ack = await send(socket as TestSocket, make());
      expect(ack, name).toHaveProperty('error');
      const refusal = apiError.parse('error' in ack ? ack.error : null);
      expect([refusal.status, refusal.code], name).toEqual([400, 'validation']);
    }
    expect((await arrive(ann)).connected).toBe(true);
  });

  test('without an acknowledgement, with several, or under other names is survived', async () => {
    const user = await server.signUp();
    const socket = await arrive(user);
    const raw = socket as unknown as { emit(name: string, ...sent: unknown[]): void };
    raw.emit('chat_message');
    raw.emit('chat_message', 1, 2, 3);
    raw.emit('chat_message', 'text', 'no function');
    raw.emit('constructor', {});
    raw.emit('__proto__', { polluted: true });
    const question = questionOf(user.user.id);
    const answered = next(socket, 'chat_response', (response) => response.chat_id === question.client_id);
    raw.emit('chat_message', question);
    expect(await answered).toHaveProperty('ai_response');
  });

  test('below the protocol ends that connection and no other', async () => {
    const bystander = await arrive(ann);
    for (const frame of [
      'garbage',
      '4',
      '42[',
      '42{"a":1}',
      '451-["chat_message",{"_placeholder":true,"num":99}]',
      '9',
      '0{"sid":1}',
      `42["${'x'.repeat(80_000)}"]`,
    ]) {
      await rawFrame(frame);
    }
    const question = questionOf(ann.user.id);
    expect(await send(bystander, question)).toMatchObject({ chat: { id: question.client_id } });
  });

  test('a message larger than any question closes the socket that sent it', async () => {
    const socket = await arrive(await server.signUp());
    const closed = gone(socket);
    socket.emit('chat_message', questionOf(ann.user.id, { message: 'x'.repeat(1_000_000) }), () => {});
    expect(await closed).toMatch(/transport/);
    expect((await arrive(ann)).connected).toBe(true);
  });

  /** Joins over a raw socket, sends one frame, and waits until the server closes the socket or answers again. */
  function rawFrame(frame: string): Promise<void> {
    const socket = openSocket(server.url, ann.tokens.accessToken);
    return new Promise((resolve) => {
      socket.once('connect', () => {
        const transport = socket.io.engine.transport as unknown as { ws: { send(data: string): void } };
        socket.once('disconnect', () => resolve());
        transport.ws.send(frame);
        // An ignored frame leaves the socket working.
        send(socket, null).then(
          () => socket.disconnect(),
          () => resolve(),
        );
      });
    });
  }
});

describe('the rate limit', () => {
  test('holds over all sockets of a user and does not touch others', async () => {
    const user = await server.signUp();
    const sockets = [await arrive(user), await arrive(user)];
    const archive_id = randomUUID();
    const acks: ChatAck[] = [];
    // Half of them at once, because a user may have no more questions without an answer.
    for (const _ of [1, 2]) {
      const asked = Array.from({ length: MAX_UNANSWERED }, (_, index) =>
        send(sockets[index % 2] as TestSocket, questionOf(user.user.id, { archive_id })),
      );
      acks.push(...(await Promise.all(asked)));
      await expect.poll(() => server.db.$count(chats, and(eq(chats.userId, user.user.id), isNull(chats.answeredAt)))).toBe(0);
    }
    const refused = acks.filter((ack) => 'error' in ack);
    expect(refused).toHaveLength(10);
    for (const ack of refused) expect(ack).toMatchObject({ error: { status: 429, code: 'too_many_requests' } });

    const other = await server.signUp();
    expect(await send(await arrive(other), questionOf(other.user.id))).toHaveProperty('chat');
  });
});

test('closing the server closes its sockets', async () => {
  const short = await startServer({ analyst });
  const user = await short.signUp();
  const socket = await connect(short.url, user.tokens.accessToken);
  const closed = gone(socket);
  await short.close();
  expect(await closed).toMatch(/io server disconnect|transport close/);
});
