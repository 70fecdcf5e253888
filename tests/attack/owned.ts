import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { connect, questionOf, send } from '../support/realtime';
import type { Owned } from './calls';
import type { Client } from './client';
import type { Person } from './people';

/** A text that stands in everything this user has, and must be in no answer to anybody else. */
export const MARK = 'only-the-owner-reads-this';

/** Gives a user something of every kind that has an id. Throws when the server refuses one of them. */
export async function createOwned(client: Client, { userId, email, sessionId, refreshToken, accessToken: token }: Person): Promise<Owned> {
  const ok = async (path: string, init: Parameters<Client['call']>[1]) => {
    const answer = await client.call(path, { token, ...init });
    if (answer.status > 299 || answer.status === 0) throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 200)}`);
    return answer.json as { data: Record<string, string> & { userSubscription: { appUserId: string } } };
  };
  const form = (fields: Record<string, string | File>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    return data;
  };
  const picture = async () =>
    new File(
      [
        new Uint8Array(
          await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
            .png()
            .toBuffer(),
        ),
      ],
      'a.png',
      {
        type: 'image/png',
      },
    );

  const [archiveId, imageId] = [randomUUID(), randomUUID()];
  await ok('/api/chat/images', { body: form({ id: imageId, image: await picture() }) });
  const socket = await connect(client.url, token);
  const question = questionOf(userId, { archive_id: archiveId, message: `What is Bitcoin? ${MARK}` });
  const ack = await send(socket, question);
  socket.disconnect();
  if ('error' in ack) throw new Error(`The question was refused: ${ack.error.code}`);
  await ok(`/api/archive/${archiveId}/title`, { method: 'PATCH', body: form({ archiveTitle: MARK }) });
  await ok('/api/contact-us/send-message', { body: form({ name: 'Ada', email, message: MARK, user_id: userId, files: await picture() }) });
  await ok(`/api/auth/user/${userId}`, {
    method: 'PATCH',
    body: form({ user_id: userId, last_name: MARK, profile_picture: await picture() }),
  });
  const bot = await ok('/api/v1/trading-bots', {
    body: { bot_name: MARK, position_size: '1000', leverage: 15, api_key: 'paper-demo-key', secret_key: 'paper-demo-secret' },
  });
  const profile = await ok(`/api/auth/user/${userId}`, {});
  return {
    userId,
    email,
    sessionId,
    refreshToken,
    archiveId,
    imageId,
    chatId: question.client_id,
    botId: bot.data.bot_id ?? '',
    appUserId: profile.data.userSubscription.appUserId,
  };
}
