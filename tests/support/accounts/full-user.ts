import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { HOUR } from '#domain/clock.ts';
import { createBudgets } from '#server/budgets.ts';
import { alertFirings } from '#server/db/schema/alerts.ts';
import { backtests } from '#server/db/schema/backtests.ts';
import { botEquity, botOrders, botTrades, deletedBots } from '#server/db/schema/bots.ts';
import { chatLinks } from '#server/db/schema/chat.ts';
import { codeGuards, codes, mailedLinks } from '#server/db/schema/codes.ts';
import { connectionCodes, destinations, notificationSettings } from '#server/db/schema/deliveries.ts';
import { watchedCoins } from '#server/db/schema/market.ts';
import { paperFills, paperOrders } from '#server/db/schema/paper.ts';
import { passkeyChallenges, passkeys } from '#server/db/schema/passkeys.ts';
import { registrations, users } from '#server/db/schema/users.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { BACKTEST } from '#tests/attack/calls.ts';
import { alertsOf } from '../alerts/alerts.ts';
import { botBody, botCaller } from '../bots/bots.ts';
import { blackPng } from '../charts/pictures.ts';
import { type Chatter, chatterOf } from '../chat/chatter.ts';
import { customerOf } from '../plans/customer.ts';
import type { SignedUp, TestServer } from '../server/server.ts';

/** A user with rows in every table that holds user data. */
export interface FullUser extends SignedUp {
  id: string;
  appUserId: string;
  botId: string;
  archiveId: string;
  chatter: Chatter;
}

const COIN = { coinId: 1, coinName: 'Bitcoin', coinSymbol: 'BTC' };
const FIRING = { ...COIN, kind: 'above', level: 1, note: 'Fired', price: 2, source: 'A market' } as const;

/** Creates the user over HTTP, and inserts rows that only time creates. `side` is the width of the user's pictures. */
export async function createFullUser(server: TestServer, side: number): Promise<FullUser> {
  const chatter = await chatterOf(server);
  const { who } = chatter;
  const { id } = who.user;
  await (await customerOf(server, who)).buy('premium_monthly');
  const archiveId = randomUUID();
  const image = await chatter.upload(blackPng(side, side));
  await chatter.ask({ archive_id: archiveId, message: 'What is in this picture?', chat_image: image });
  await chatter.ask({ archive_id: archiveId, message: 'And what of Bitcoin?' });
  await chatter.call(`/auth/user/${id}/`, { method: 'PATCH', body: profileForm(id, side) });
  await chatter.call('/contact-us/send-message', { method: 'POST', body: contactForm(who, 'contact', side + 1) });
  await chatter.call('/contact-us/send-message', { method: 'POST', body: contactForm(who, 'deletion', side + 1) });
  const bot = await botCaller(server, who)('POST', '/trading-bots', botBody(), { 'idempotency-key': randomUUID() });
  const botId: string = bot.body.data.bot_id;
  const alert = await alertsOf(server, who).add({ price: 1e12, note: 'Far away' });
  await server.db.insert(alertFirings).values({ ...FIRING, userId: id, alertId: alert.id, at: new Date() });
  const link = { userId: id, id: randomUUID(), archiveId, tokenHash: randomUUID(), title: 'Shared', messageCount: 0, leftOut: 1 };
  const kept = { messages: [], withPictures: false, hasEarlier: false, expiresAt: new Date(Date.now() + HOUR) };
  await server.db.insert(chatLinks).values({ ...link, ...kept });
  await plantRows(server, who.user, botId);
  await server.settled();
  const [user] = await server.db.select().from(users).where(eq(users.id, id));
  return { ...who, id, appUserId: user?.appUserId ?? '', botId, archiveId, chatter };
}

async function plantRows({ db }: TestServer, { id: userId, email }: SignedUp['user'], botId: string): Promise<void> {
  const now = new Date();
  const entryId = randomUUID();
  const passkey = { userId, credentialId: `credential-${userId}`, publicKey: Buffer.from('public key'), name: 'Chrome on Linux' };
  await db.insert(passkeys).values({ ...passkey, createdAt: now });
  await db.insert(passkeyChallenges).values({ challengeHash: randomUUID(), purpose: 'register', userId, expiresAt: now });
  await db.insert(watchedCoins).values({ userId, coinId: 1, symbol: 'BTC', name: 'Bitcoin' });
  await db.insert(codes).values({ userId, purpose: 'reset-password', codeHash: '-', expiresAt: now });
  await db.insert(codeGuards).values({ userId, day: '2026-01-01' }).onConflictDoNothing();
  // A pending sign-up with the same address.
  const registration = { id: randomUUID(), email, firstName: 'Eve', lastName: 'Eve', passwordHash: '-', createdAt: now };
  await db.insert(registrations).values(registration);
  await db.insert(mailedLinks).values({ tokenHash: randomUUID(), registrationId: registration.id, expiresAt: now });
  await db.insert(mailedLinks).values({ tokenHash: randomUUID(), userId, expiresAt: now });
  const budgets = createBudgets({ db, clock: Date.now });
  for (const key of [`test ${userId}`, `test ${email} day`]) await budgets.take(key, { max: 1, span: HOUR });
  const { notify } = createNotifications({ db, clock: Date.now });
  await db.insert(notificationSettings).values({ userId, choices: {} });
  await db.insert(destinations).values({ userId, channel: 'webhook', address: 'https://example.com/', endedAt: now });
  await db.insert(connectionCodes).values({ userId, channel: 'telegram', codeHash: randomUUID(), expiresAt: now });
  await db.transaction((tx) => notify(tx, userId, { kind: 'support', text: 'Hello', urgent: true }));
  const order = { clientId: entryId, botId, purpose: 'entry', direction: 'buy', quantity: 1, state: 'filled', fence: 0 } as const;
  await db.insert(botOrders).values(order);
  await db.insert(backtests).values({ userId, status: 'DONE', settings: BACKTEST, owner: '' });
  const trade = { userId, botId, entryId, side: 'long', quantity: 1, entryPrice: 1, exitPrice: 2, openedAt: now, closedAt: now } as const;
  const deleted = { id: randomUUID(), userId, name: 'Ebb', exchange: 'paper', testnet: false, positionSize: 1000 } as const;
  await db.insert(deletedBots).values({ ...deleted, createdAt: now, deletedAt: now });
  await db.insert(botTrades).values([trade, { ...trade, botId: deleted.id, entryId: randomUUID() }]);
  await db.insert(botEquity).values({ botId, at: now, equity: 1000 });
  await db.insert(paperOrders).values({ botId, clientId: entryId, order: {} });
  await db.insert(paperFills).values({ botId, place: 0, at: 0, fill: {} });
}

function profileForm(userId: string, side: number): FormData {
  const form = new FormData();
  form.set('user_id', userId);
  form.append('profile_picture', new File([new Uint8Array(blackPng(side, side))], 'me.png'));
  return form;
}

function contactForm({ user }: SignedUp, kind: 'contact' | 'deletion', side: number): FormData {
  const form = new FormData();
  const fields = { name: 'Ada', email: user.email, message: 'Please help me.', user_id: user.id, kind };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.append('files', new File([new Uint8Array(blackPng(side, side))], '../../evil.png'));
  return form;
}
