import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { type ImportedChat, type ImportedMessage, importAnswer } from '#contract/chat/import-chats.ts';
import { chats } from '#server/db/schema/chat.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const servers: TestServer[] = [];

onPostgres(
  async ({ url }) => {
    for (let started = 0; started < 2; started++) servers.push(await startServer({ env: sharedEnv(url) }));
  },
  async () => {
    for (const server of servers) await server.close();
  },
);

const message = (user_message: string): ImportedMessage => ({
  ...{ id: randomUUID(), user_message, ai_response: 'Locking coins.', failed: false, stopped: false, rating: null },
  ...{ created_at: '2026-03-01T10:00:00Z', answered_at: '2026-03-01T10:00:05Z', picture: null },
});
const chatOf = (messages: number): ImportedChat => ({
  ...{ id: randomUUID(), title: 'Staking', created_at: '2026-03-01T10:00:00Z' },
  messages: Array.from({ length: messages }, (_, place) => message(`Question ${place + 1}`)),
});

test('two processes that add the same export at the same time add each question once, in its order', async () => {
  const [here, there] = servers as [TestServer, TestServer];
  const ann = await here.signUp();
  const long = chatOf(120);
  const parts = [0, 40, 80].map((from) => [{ ...long, messages: long.messages.slice(from, from + 40) }]);
  const requests = [...parts, [chatOf(3), chatOf(0), chatOf(9)], [chatOf(1)]];
  const added = { chats: 0, messages: 0 };
  const importAt = async (server: TestServer) => {
    for (const given of requests) {
      const body = { preview: false, chats: given };
      const response = await server.post(`/user/${ann.user.id}/archives/import`, body, { authorization: ann.authorization });
      expect(response.status).toBe(200);
      const { data } = importAnswer.parse(await response.json());
      added.chats += data.added.chats;
      added.messages += data.added.messages;
    }
  };
  await Promise.all([importAt(here), importAt(there), importAt(here), importAt(there)]);

  expect(added).toEqual({ chats: 5, messages: 133 });
  const rows = await here.db.select().from(chats).where(eq(chats.userId, ann.user.id));
  expect(rows).toHaveLength(133);
  const ofLong = rows.filter(({ archiveId }) => archiveId === long.id).sort((one, other) => one.position - other.position);
  expect(ofLong.map(({ position, userMessage }) => `${position} ${userMessage}`)).toEqual(
    long.messages.map(({ user_message }, place) => `${place + 1} ${user_message}`),
  );
});
