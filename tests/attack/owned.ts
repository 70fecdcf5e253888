import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { creationOptionsAnswer } from '#contract/account/passkeys.ts';
import { softwareAuthenticator } from '../support/accounts/software-authenticator.ts';
import { connect, next, questionOf, send } from '../support/server/realtime.ts';
import { ALERT, BACKTEST, type Owned } from './calls.ts';
import type { Client } from './client.ts';
import { createBot, type Person } from './people.ts';

/** A text in everything this user owns. No answer to another user may contain it. */
export const MARK = 'only-the-owner-reads-this';

/** Creates one of everything that has an id for a user. Throws when the server refuses. */
export async function createOwned(client: Client, owner: Person): Promise<Owned> {
  const { userId, email, sessionId, refreshToken, accessToken: token } = owner;
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
  const answered = next(socket, 'chat_response', ({ chat_id }) => chat_id === question.client_id);
  const ack = await send(socket, question);
  if (!('error' in ack)) await answered;
  socket.disconnect();
  if ('error' in ack) throw new Error(`The question was refused: ${ack.error.code}`);
  await ok(`/api/archive/${archiveId}/title`, { method: 'PATCH', body: form({ archiveTitle: MARK }) });
  const link = { id: randomUUID(), token: randomBytes(32).toString('base64url'), days: 1, with_pictures: false, last: 1 };
  await ok(`/api/archive/${archiveId}/links`, { body: link });
  await ok('/api/contact-us/send-message', { body: form({ name: 'Ada', email, message: MARK, user_id: userId, files: await picture() }) });
  await ok(`/api/auth/user/${userId}`, {
    method: 'PATCH',
    body: form({ user_id: userId, last_name: MARK, profile_picture: await picture() }),
  });
  const botId = await createBot(client, owner, MARK);
  const alertId = randomUUID();
  await ok(`/api/alerts/${userId}/${alertId}`, { method: 'PUT', body: { alert: { ...ALERT, note: MARK }, seen: null } });
  const options = await ok('/api/auth/passkeys/options', { method: 'POST' });
  const authenticator = softwareAuthenticator(`http://localhost:${new URL(client.url).port}`);
  const credential = authenticator.create(creationOptionsAnswer.parse(options).data);
  const passkey = await ok('/api/auth/passkeys', { body: { credential } });
  await ok(`/api/auth/passkeys/${passkey.data.id}`, { method: 'PATCH', body: { name: MARK } });
  const backtest = await ok('/api/backtests', { body: { ...BACKTEST } });
  const profile = await ok(`/api/auth/user/${userId}`, {});
  return {
    userId,
    email,
    sessionId,
    refreshToken,
    archiveId,
    imageId,
    alertId,
    linkId: link.id,
    passkeyId: String(passkey.data.id),
    chatId: question.client_id,
    botId,
    backtestId: String(backtest.data.id),
    appUserId: profile.data.userSubscription.appUserId,
  };
}
