import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { HOUR } from '#domain/clock.ts';
import { createBudgets } from '#server/budgets.ts';
import * as schema from '#server/db/schema.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { botBody, botCaller } from '../bots/bots.ts';
import { blackPng } from '../charts/pictures.ts';
import { type Chatter, chatterOf } from '../chat/chatter.ts';
import { customerOf } from '../plans/customer.ts';
import type { SignedUp, TestServer } from '../server/server.ts';

/** A user who has something in every table that holds users' rows. */
export interface FullUser extends SignedUp {
  id: string;
  appUserId: string;
  botId: string;
  archiveId: string;
  chatter: Chatter;
}

/** Makes one over HTTP; what comes only with time is written into the tables. `side`: width of their pictures, so that users' differ. */
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
  await plantRows(server, who.user, botId);
  await server.settled();
  const [user] = await server.db.select().from(schema.users).where(eq(schema.users.id, id));
  return { ...who, id, appUserId: user?.appUserId ?? '', botId, archiveId, chatter };
}

async function plantRows({ db }: TestServer, { id: userId, email }: SignedUp['user'], botId: string): Promise<void> {
  const now = new Date();
  const entryId = randomUUID();
  await db.insert(schema.watchedCoins).values({ userId, coinId: 1, symbol: 'BTC', name: 'Bitcoin' });
  await db.insert(schema.codes).values({ userId, purpose: 'reset-password', codeHash: '-', expiresAt: now });
  await db.insert(schema.codeGuards).values({ userId, day: '2026-01-01' }).onConflictDoNothing();
  // Somebody signs up with the same address.
  const registration = { id: randomUUID(), email, firstName: 'Eve', lastName: 'Eve', passwordHash: '-', createdAt: now };
  await db.insert(schema.registrations).values(registration);
  await db.insert(schema.mailedLinks).values({ tokenHash: randomUUID(), registrationId: registration.id, expiresAt: now });
  await db.insert(schema.mailedLinks).values({ tokenHash: randomUUID(), userId, expiresAt: now });
  const budgets = createBudgets({ db, clock: Date.now });
  for (const key of [`test ${userId}`, `test ${email} day`]) await budgets.take(key, { max: 1, span: HOUR });
  const { notify } = createNotifications({ db, clock: Date.now });
  await db.transaction((tx) => notify(tx, userId, { kind: 'support', text: 'Hello' }));
  const order = { clientId: entryId, botId, purpose: 'entry', direction: 'buy', quantity: 1, state: 'filled', fence: 0 } as const;
  await db.insert(schema.botOrders).values(order);
  const trade = { botId, entryId, side: 'long', quantity: 1, entryPrice: 1, exitPrice: 2, openedAt: now, closedAt: now } as const;
  await db.insert(schema.botTrades).values(trade);
  await db.insert(schema.botEquity).values({ botId, at: now, equity: 1000 });
  await db.insert(schema.paperOrders).values({ botId, clientId: entryId, order: {} });
  await db.insert(schema.paperFills).values({ botId, place: 0, at: 0, fill: {} });
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
