import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import type { SubscribeBody } from '#contract/push.ts';
import { DAY } from '#domain/clock.ts';
import { backtests } from '#server/db/schema/backtests.ts';
import { archives, chats } from '#server/db/schema/chat.ts';
import { deliveries, destinations } from '#server/db/schema/deliveries.ts';
import { watchedCoins } from '#server/db/schema/market.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import { BACKTEST, type Owned } from '#tests/attack/calls.ts';
import { passkeyCaller } from '../accounts/passkeys.ts';
import type { SoftwareAuthenticator } from '../accounts/software-authenticator.ts';
import { alertsOf } from '../alerts/alerts.ts';
import { botBody } from '../bots/bots.ts';
import { blackPng } from '../charts/pictures.ts';
import { imageForm } from '../chat/chatter.ts';
import { customerOf } from '../plans/customer.ts';
import type { SignedUp, TestServer } from '../server/server.ts';

export interface Place {
  server: TestServer;
  /** Takes webhooks and push messages. */
  receiver: string;
}

/** A user with one row of each kind that a route can name. */
export interface Owner extends SignedUp, Place {
  owned: Owned;
  /** An address of its own, because limits count by network. */
  address: string;
  authenticator: SoftwareAuthenticator;
  browser: SubscribeBody;
  /** Token of the link to the chat, which has a picture. */
  linkToken: string;
  /** Token that acknowledges a delivery. */
  receipt: string;
  /** Calls the API. @returns the field `data` of the answer. @throws Error if the call is refused. */
  ok(method: string, path: string, body?: object): Promise<Record<string, string>>;
}

let owners = 0;

/** Creates the user, and the rows by the API where it can. */
export async function createOwner(place: Place): Promise<Owner> {
  const { server } = place;
  owners += 1;
  const address = `10.${owners >> 8}.${owners & 255}.1`;
  const who = await server.signUp({}, { 'x-forwarded-for': address });
  const { id: userId, email } = who.user;
  const { appUserId = '' } = await (await customerOf(server, who)).buy('premium_monthly');
  const ok: Owner['ok'] = async (method, path, body) => {
    const isForm = body instanceof FormData;
    const headers = {
      authorization: who.authorization,
      'x-forwarded-for': address,
      ...(!isForm && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`${server.url}/api${path}`, { method, headers, body: isForm ? body : JSON.stringify(body ?? {}) });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: Record<string, string> }).data;
  };

  const chat = await addChat(server, userId, ok);
  const bot = await ok('POST', '/v1/trading-bots', botBody());
  const alert = await alertsOf(server, who).add({ price: 1e12 });
  const { authenticator, passkey } = await passkeyCaller(server).add(who.authorization);
  const browser = await newBrowser(place, who);
  await ok('POST', '/push/subscriptions', browser);
  await ok('PUT', `/notification/${userId}/webhook`, { url: `${place.receiver}/hook` });
  const stored = await insertRows(server, userId);
  const { linkToken, ...ids } = chat;
  const ofBot = { botId: bot.bot_id ?? '', backtestId: stored.backtestId };
  const ofAccount = { userId, email, appUserId, sessionId: stored.sessionId, refreshToken: who.tokens.refreshToken };
  const owned = { ...ids, ...ofBot, ...ofAccount, alertId: alert.id, passkeyId: passkey.id };
  return { ...place, ...who, owned, address, authenticator, browser, linkToken, receipt: stored.receipt, ok };
}

/** Adds a chat with two answered questions, the first one with a picture, and a link to it. */
async function addChat({ db }: TestServer, userId: string, ok: Owner['ok']) {
  const [archiveId, chatId, imageId, linkId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await ok('POST', '/chat/images', imageForm(imageId, blackPng(40, 40)));
  await db.insert(archives).values({ userId, id: archiveId, title: 'Tide', foldedTitle: 'tide' });
  const answered = { userId, archiveId, userMessage: 'What is this?', aiResponse: 'A chart.', answeredAt: new Date() };
  await db.insert(chats).values([
    { ...answered, id: chatId, position: 1, imageId },
    { ...answered, id: randomUUID(), position: 2 },
  ]);
  const linkToken = randomBytes(32).toString('base64url');
  await ok('POST', `/archive/${archiveId}/links`, { id: linkId, token: linkToken, days: 1, with_pictures: true, last: 2 });
  return { archiveId, chatId, imageId, linkId, linkToken };
}

/** Inserts the rows that only other devices, time or a receiver create. */
async function insertRows({ db }: TestServer, userId: string) {
  const now = new Date();
  await db.insert(watchedCoins).values([
    { userId, coinId: 1, symbol: 'BTC', name: 'Bitcoin' },
    { userId, coinId: 1027, symbol: 'ETH', name: 'Ethereum' },
  ]);
  const sessionId = randomUUID();
  await db.insert(sessions).values({ id: sessionId, userId, clientName: 'Chrome on Android', lastSeenAt: now, provenAt: now });
  const backtestId = randomUUID();
  await db.insert(backtests).values({ id: backtestId, userId, status: 'DONE', settings: BACKTEST, owner: '' });
  const chat = { id: randomUUID(), userId, channel: 'telegram', address: '1' } as const;
  await db.insert(destinations).values(chat);
  const [notificationId, deliveryId, secret] = [randomUUID(), randomUUID(), randomBytes(18).toString('base64url')];
  await db.insert(notifications).values({ id: notificationId, userId, kind: 'support', text: 'Hello' });
  const sent = { state: 'sent', urgent: false, ifUnseen: false, held: false, dueAt: now, receipt: secret, sentAt: now } as const;
  const delivery = { id: deliveryId, userId, notificationId, channel: 'telegram', destinationId: chat.id } as const;
  await db.insert(deliveries).values({ ...delivery, ...sent });
  return { sessionId, backtestId, receipt: `${deliveryId}.${secret}` };
}

/** Returns a push subscription of a new browser. */
export async function newBrowser({ server, receiver }: Place, { authorization }: SignedUp): Promise<SubscribeBody> {
  const answer = await fetch(`${server.url}/api/push/key`, { headers: { authorization } });
  const { key } = ((await answer.json()) as { data: { key: string } }).data;
  const pair = createECDH('prime256v1');
  const keys = { p256dh: pair.generateKeys().toString('base64url'), auth: randomBytes(16).toString('base64url') };
  return { endpoint: `${receiver}/push/${randomUUID()}`, keys, key };
}

/** A day from now. */
export const tomorrow = (): Date => new Date(Date.now() + DAY);
