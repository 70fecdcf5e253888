import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { bots } from '#server/db/schema/bots.ts';
import { mailedLinks } from '#server/db/schema/codes.ts';
import { registrations } from '#server/db/schema/users.ts';
import { hashOf } from '#server/tokens/random-tokens.ts';
import { passkeyCaller } from '../accounts/passkeys.ts';
import { softwareAuthenticator } from '../accounts/software-authenticator.ts';
import { blackPng } from '../charts/pictures.ts';
import { imageForm } from '../chat/chatter.ts';
import { customerOf } from '../plans/customer.ts';
import { newBrowser, type Owner, tomorrow } from './owner.ts';

/** What a request has instead of the path and body that `tests/attack/calls.ts` builds. */
export interface Ready {
  path?: string;
  body?: object;
  headers?: Record<string, string>;
  /** Comes from this machine, without a proxy. */
  isLocal?: boolean;
}

/** Prepares two requests: two different ones, or one that is sent twice. */
type Prepare = (owner: Owner) => Promise<Ready | [Ready, Ready]>;

/** The secret that the payment provider sends. */
export const WEBHOOK_SECRET = 'webhook-secret';

const both = async (prepare: () => Promise<Ready>): Promise<[Ready, Ready]> => [await prepare(), await prepare()];
const withFile = (fields: Record<string, string>, name: string): FormData => {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set(name, new File([new Uint8Array(blackPng(30, 30))], 'a.png', { type: 'image/png' }));
  return form;
};
const signUpForm = (email: string, { password }: Owner) => ({ first_name: 'Ada', last_name: 'Byron', email, country: '', password });

/** Signs a new address up. @returns the address */
async function register(owner: Owner): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await owner.ok('POST', '/auth/register', signUpForm(email, owner));
  return email;
}

/** Asks for a new password. @returns the mailed code */
async function recoveryCode({ ok, server, user: { email } }: Owner): Promise<string> {
  await ok('POST', '/auth/forgot-password', { email });
  return server.mail(email);
}

/** Mails a link to a user or a sign-up. @returns its token */
async function mailLink({ server: { db } }: Owner, holder: { userId: string } | { registrationId: string }): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.insert(mailedLinks).values({ ...holder, tokenHash: hashOf(token), expiresAt: tomorrow() });
  return token;
}

/** Puts the user's bot in a state. */
const botThat = (state: Partial<typeof bots.$inferInsert>, body?: object): Prepare => {
  return async ({ server: { db }, owned }) => {
    await db.update(bots).set(state).where(eq(bots.id, owned.botId));
    return { ...(body && { body }) };
  };
};

const ofAccounts: Record<string, Prepare> = {
  'POST /api/auth/register': async (owner) => ({ body: signUpForm(`${randomUUID()}@example.com`, owner) }),
  'POST /api/auth/login': async ({ user: { email }, password }) => ({ body: { email, password } }),
  'POST /api/auth/verify-otp': async (owner) => {
    const email = await register(owner);
    return { body: { email, recoveryCode: await owner.server.mail(email) } };
  },
  'POST /api/auth/resend-verification-code': async (owner) => ({ body: { email: await register(owner) } }),
  'POST /api/auth/forgot-password': async ({ user: { email } }) => ({ body: { email } }),
  'POST /api/auth/verify-recovery-code': async (owner) => ({
    body: { email: owner.user.email, recoveryCode: await recoveryCode(owner) },
  }),
  'POST /api/auth/reset-password': async (owner) => {
    const { email } = owner.user;
    const grant = await owner.ok('POST', '/auth/verify-recovery-code', { email, recoveryCode: await recoveryCode(owner) });
    return { body: { email, newPassword: 'Another1!', recoveryCode: grant.recoveryCode } };
  },
  'POST /api/auth/refresh-token': async ({ owned: { refreshToken } }) => ({ body: { refreshToken } }),
  'POST /api/auth/end-session': async ({ owned: { refreshToken } }) => ({
    body: { session_id: refreshToken.split('.')[0], token_hash: hashOf(refreshToken) },
  }),
  'POST /api/auth/verify-link/:token': async (owner) => {
    const names = { firstName: 'Ada', lastName: 'Byron', passwordHash: '-' };
    const registrationId = randomUUID();
    await owner.server.db.insert(registrations).values({ id: registrationId, email: `${randomUUID()}@example.com`, ...names });
    return { path: `/api/auth/verify-link/${await mailLink(owner, { registrationId })}` };
  },
  'POST /api/auth/reset-link/:token': async (owner) => ({
    path: `/api/auth/reset-link/${await mailLink(owner, { userId: owner.user.id })}`,
    body: new URLSearchParams({ newPassword: 'Another1!' }),
  }),
  'POST /api/auth/re-authenticate': async ({ password }) => ({ body: { password } }),
  'PATCH /api/auth/user/:userId': async ({ user }) => ({ body: withFile({ user_id: user.id, first_name: 'Augusta' }, 'profile_picture') }),
};

const ofPasskeys: Record<string, Prepare> = {
  'POST /api/auth/passkeys': async ({ server, authorization }) =>
    both(async () => {
      const options = await passkeyCaller(server).creationOptions(authorization);
      return { body: { credential: softwareAuthenticator(server.config.publicUrl).create(options) } };
    }),
  'POST /api/auth/passkeys/sign-in': async ({ server, authenticator }) =>
    both(async () => ({ body: { credential: authenticator.get(await passkeyCaller(server).signInOptions()) } })),
  'POST /api/auth/passkeys/confirm': async ({ server, authenticator, authorization }) =>
    both(async () => ({ body: { credential: await passkeyCaller(server).confirmation(authorization, authenticator) } })),
};

const ofChats: Record<string, Prepare> = {
  'POST /api/chat/archives': async ({ user }) => both(async () => ({ body: { userId: user.id, id: randomUUID() } })),
  'POST /api/chat/images': async () => both(async () => ({ body: imageForm(randomUUID(), blackPng(40, 40)) })),
  'POST /api/shared-chat': async ({ linkToken }) => ({ body: { token: linkToken } }),
  'POST /api/shared-chat/picture': async ({ linkToken }) => ({ body: { token: linkToken, place: 0 } }),
};

const ofNotifications: Record<string, Prepare> = {
  'POST /api/contact-us/send-message': async ({ user: { id, email } }) => ({
    body: withFile({ user_id: id, name: 'Ada', email, message: 'Hello' }, 'files'),
  }),
  'POST /api/notification/receipt': async ({ receipt }) => ({ body: { token: receipt, event: 'opened' } }),
  'PUT /api/notification/:userId/webhook': async ({ receiver }) => ({ body: { url: `${receiver}/other` } }),
  'POST /api/push/subscriptions': async (owner) => both(async () => ({ body: await newBrowser(owner, owner) })),
  'POST /api/push/subscriptions/renew': async (owner) => {
    const { endpoint, keys } = owner.browser;
    return both(async () => ({ body: { ...(await newBrowser(owner, owner)), old: { endpoint, auth: keys.auth } } }));
  },
};

const ofPlans: Record<string, Prepare> = {
  'POST /api/webhooks/revenuecat': async ({ owned }) =>
    both(async () => ({ headers: { authorization: WEBHOOK_SECRET }, body: { event: { id: randomUUID(), app_user_id: owned.appUserId } } })),
  'POST /api/buy-subscription': async (owner) => {
    const { receipt, appUserId } = await customerOf(owner.server, owner);
    return { body: { userId: owner.user.id, appUserId, planType: 'PREMIUM', receipt: await receipt('premium_monthly') } };
  },
  'POST /api/test-store/purchases': async () => ({ isLocal: true, body: { productId: 'basic_monthly', outcome: 'paid' } }),
  'POST /api/test-store/changes': async () => ({ isLocal: true }),
};

const STOPPED = { status: 'STOPPED' } as const;
const RUNNING = { status: 'RUNNING', pausedBy: null, pausedReason: null } as const;
const ofBots: Record<string, Prepare> = {
  'PUT /api/v1/trading-bots/:id': botThat(STOPPED, { bot_name: 'Ebb', position_size: '2000' }),
  'POST /api/v1/trading-bots/:id/start': botThat(STOPPED),
  'POST /api/v1/trading-bots/:id/stop': botThat(RUNNING),
  'POST /api/v1/trading-bots/:id/pause': botThat(RUNNING),
  'POST /api/v1/trading-bots/:id/resume': botThat({ ...RUNNING, pausedBy: 'user' }),
};

/** How to prepare the routes that need more than the rows of an owner. */
export const READY: Readonly<Record<string, Prepare>> = {
  ...ofAccounts,
  ...ofPasskeys,
  ...ofChats,
  ...ofNotifications,
  ...ofPlans,
  ...ofBots,
};
