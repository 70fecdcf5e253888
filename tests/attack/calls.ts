import { randomBytes, randomUUID } from 'node:crypto';
import type { BacktestForm } from '#contract/bots/backtest.ts';

/** Ids of everything a user owns. */
export interface Owned {
  userId: string;
  email: string;
  appUserId: string;
  sessionId: string;
  refreshToken: string;
  archiveId: string;
  chatId: string;
  imageId: string;
  botId: string;
  backtestId: string;
  alertId: string;
  passkeyId: string;
  linkId: string;
}

/** A valid call of a route. `CALLS` has one for every route. */
export interface CallRule {
  /**
   * `public` needs no session. `self` acts on the caller's rows without an id. `named` names a row or a user by id, which
   * must be the caller's.
   */
  access: 'public' | 'self' | 'named';
  params?: (of: Owned) => Record<string, string>;
  query?: (of: Owned) => Record<string, string>;
  body?: (of: Owned) => Record<string, unknown>;
  /** The body is sent as multipart form data. */
  isForm?: boolean;
}

const PASSWORD = 'Attack-test-1';
const EMAIL = 'unknown@example.com';
const KEYS = { api_key: 'paper-demo-key', secret_key: 'paper-demo-secret' };
/** Settings of a short backtest. */
export const BACKTEST: BacktestForm = {
  interval: '4h',
  from: '2023-01-01',
  to: '2023-01-10',
  position_size: '1000',
  leverage: '15',
  max_drawdown: '30',
};
/** A browser's subscription, with keys of the right form. */
const BROWSER = {
  endpoint: 'https://push.example.com/1',
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  key: `B${'A'.repeat(86)}`,
};
const userId = ({ userId }: Owned) => ({ userId });
const byUser = { access: 'named', params: userId } as const;
const bot = { access: 'named', params: ({ botId }: Owned) => ({ id: botId }) } as const;
const backtest = { access: 'named', params: ({ backtestId }: Owned) => ({ id: backtestId }) } as const;
const chat = { access: 'named', params: ({ chatId }: Owned) => ({ id: chatId }) } as const;
const archive = { access: 'named', params: ({ archiveId }: Owned) => ({ id: archiveId }) } as const;
const image = { access: 'named', params: ({ imageId }: Owned) => ({ id: imageId }) } as const;
const link = { access: 'public', params: () => ({ token: 'a'.repeat(43) }) } as const;
const alert = { access: 'named', params: ({ userId, alertId }: Owned) => ({ userId, id: alertId }) } as const;
const passkey = { access: 'named', params: ({ passkeyId }: Owned) => ({ id: passkeyId }) } as const;
const CREDENTIAL = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const USED_PASSKEY = { ...CREDENTIAL, response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' } };
const CREATED_PASSKEY = { ...CREDENTIAL, response: { clientDataJSON: 'e30', attestationObject: 'AAAA' } };
const BITCOIN = { id: 1, name: 'Bitcoin', symbol: 'BTC' };
/** An alert that never fires. */
export const ALERT = {
  kind: 'above',
  coin: BITCOIN,
  price: 1e12,
  level_name: null,
  note: '',
  rearms: false,
  expires_at: null,
  paused: false,
};
const support = ({ userId, email }: Owned) => ({ user_id: userId, name: 'Mallory', email, message: 'Hello' });

/** How to call each route with the ids of one user. A missing route fails the run. */
export const CALLS: Record<string, CallRule> = {
  'GET /healthz': { access: 'public' },
  'GET /readyz': { access: 'public' },
  'GET /mailbox': { access: 'public' },
  'GET /chart-frame': { access: 'public' },
  'GET /api/config': { access: 'public' },
  'GET /api/page.css': { access: 'public' },

  'POST /api/auth/register': {
    access: 'public',
    body: () => ({ first_name: 'Ada', last_name: 'Byron', email: EMAIL, country: '', password: PASSWORD }),
  },
  'POST /api/auth/login': { access: 'public', body: () => ({ email: EMAIL, password: PASSWORD }) },
  'POST /api/auth/verify-otp': { access: 'public', body: () => ({ email: EMAIL, recoveryCode: '0000' }) },
  'POST /api/auth/resend-verification-code': { access: 'public', body: () => ({ email: EMAIL }) },
  'POST /api/auth/forgot-password': { access: 'public', body: () => ({ email: EMAIL }) },
  'POST /api/auth/verify-recovery-code': { access: 'public', body: () => ({ email: EMAIL, recoveryCode: '0000' }) },
  'POST /api/auth/reset-password': {
    access: 'public',
    body: () => ({ email: EMAIL, newPassword: PASSWORD, recoveryCode: 'x'.repeat(43) }),
  },
  'POST /api/auth/refresh-token': { access: 'public', body: () => ({ refreshToken: 'x'.repeat(43) }) },
  'POST /api/auth/end-session': {
    access: 'public',
    body: ({ sessionId }) => ({ session_id: sessionId, token_hash: 'x'.repeat(43) }),
  },
  'GET /api/auth/verify-link/:token': link,
  'POST /api/auth/verify-link/:token': link,
  'GET /api/auth/reset-link/:token': link,
  'POST /api/auth/reset-link/:token': link,
  'POST /api/webhooks/revenuecat': { access: 'public', body: ({ appUserId }) => ({ event: { type: 'RENEWAL', app_user_id: appUserId } }) },

  'POST /api/auth/logout': { access: 'self', body: ({ refreshToken }) => ({ refreshToken }) },
  'POST /api/auth/re-authenticate': { access: 'self', body: () => ({ password: PASSWORD }) },
  'GET /api/auth/sessions': { access: 'self' },
  'DELETE /api/auth/sessions': { access: 'self' },
  'DELETE /api/auth/sessions/:id': { access: 'named', params: ({ sessionId }) => ({ id: sessionId }) },
  'POST /api/auth/passkeys/sign-in-options': { access: 'public' },
  'POST /api/auth/passkeys/sign-in': { access: 'public', body: () => ({ credential: USED_PASSKEY }) },
  'GET /api/auth/passkeys': { access: 'self' },
  'POST /api/auth/passkeys/options': { access: 'self' },
  'POST /api/auth/passkeys': { access: 'self', body: () => ({ credential: CREATED_PASSKEY }) },
  'POST /api/auth/passkeys/confirm-options': { access: 'self' },
  'POST /api/auth/passkeys/confirm': { access: 'self', body: () => ({ credential: USED_PASSKEY }) },
  'PATCH /api/auth/passkeys/:id': { ...passkey, body: () => ({ name: 'Mallory' }) },
  'DELETE /api/auth/passkeys/:id': passkey,
  'GET /api/auth/user/:userId': byUser,
  'PATCH /api/auth/user/:userId': { ...byUser, isForm: true, body: ({ userId }) => ({ user_id: userId, first_name: 'Mallory' }) },
  'GET /api/auth/user/:userId/picture': byUser,
  'GET /api/user/:userId/export': byUser,

  'POST /api/coin-market/get-data': { access: 'self', body: () => ({ limit: 10, sortType: 1, convert: 'USD' }) },
  'GET /api/coin-market/get-data': { access: 'self', query: () => ({ limit: '10' }) },
  'GET /api/coin-market/get-single-data/:cryptoId/:userId': { access: 'named', params: ({ userId }) => ({ cryptoId: '1', userId }) },
  'GET /api/coin-market/global-search': { access: 'self' },
  'GET /api/coin-market/global-search/:text': { access: 'self', params: () => ({ text: 'bit' }) },
  'GET /api/coin-market/candles/:cryptoId': { access: 'self', params: () => ({ cryptoId: '1' }) },
  'GET /api/coin-market/global': { access: 'self' },
  'GET /api/coin-market/rates': { access: 'self' },
  'GET /api/indicator/:timeframe': { access: 'self', params: () => ({ timeframe: '1h' }) },

  'POST /api/chat/archives': { access: 'named', body: ({ userId, archiveId }) => ({ userId, id: archiveId }) },
  'POST /api/user/:userId/archives/import': {
    access: 'named',
    params: userId,
    body: () => ({ preview: false, chats: [{ id: randomUUID(), title: 'Imported', created_at: '2026-01-01T00:00:00Z', messages: [] }] }),
  },
  'GET /api/user/:userId/archives': byUser,
  'GET /api/user/:userId/archives/:search_text': { access: 'named', params: ({ userId }) => ({ userId, search_text: 'a' }) },
  'PATCH /api/archive/:id/title': { ...archive, isForm: true, body: () => ({ archiveTitle: 'Mine now' }) },
  'PUT /api/archive/:id/pin': { ...archive, body: () => ({ pinned: true }) },
  'POST /api/archive/:id/continue': { ...archive, body: ({ chatId }) => ({ id: randomUUID(), chat_id: chatId }) },
  'DELETE /api/archive/:id': archive,
  'GET /api/archive/:id/chats': archive,
  'GET /api/archive/:id/links': archive,
  'POST /api/archive/:id/links': {
    ...archive,
    body: () => ({ id: randomUUID(), token: randomBytes(32).toString('base64url'), days: 1, with_pictures: true, last: 1 }),
  },
  'GET /api/chat-links': { access: 'self' },
  'DELETE /api/chat-links/:id': { access: 'named', params: ({ linkId }) => ({ id: linkId }) },
  'POST /api/shared-chat': { access: 'public', body: () => ({ token: 'x'.repeat(43) }) },
  'POST /api/shared-chat/picture': { access: 'public', body: () => ({ token: 'x'.repeat(43), place: 0 }) },
  'GET /api/chat/:id': chat,
  'POST /api/chat/:id/stop': chat,
  'PUT /api/chat/:id/rating': { ...chat, body: () => ({ rating: 'up' }) },
  'POST /api/chat/figures/current': { access: 'self', body: () => ({ metric: 'price', coin: 1 }) },
  'POST /api/chat/questions': {
    access: 'named',
    body: ({ userId, archiveId }) => ({
      ...{ client_id: randomUUID(), user_id: userId, archive_id: archiveId },
      ...{ message: 'What is staking?', chat_id: 0, chat_image: null },
    }),
  },
  'POST /api/chat/images': { access: 'self', isForm: true, body: ({ imageId }) => ({ id: imageId, image: 'no picture' }) },
  'GET /api/chat/images/:id': image,
  'GET /api/chat/images/:id/preview': image,

  'GET /api/contact-us/messages': { access: 'self' },
  'POST /api/contact-us/send-message': { access: 'named', isForm: true, body: support },
  'POST /api/user/delete/send-request': { access: 'named', body: support },
  'GET /api/notification/:userId': byUser,
  'POST /api/notification/:userId/read': { ...byUser, body: () => ({ upTo: new Date().toISOString() }) },
  'POST /api/notification/receipt': { access: 'public', body: () => ({ token: `${randomUUID()}.${'x'.repeat(24)}`, event: 'shown' }) },
  'GET /api/notification/:userId/settings': byUser,
  'PUT /api/notification/:userId/settings': { ...byUser, body: () => ({ choices: {}, quiet: null, time_zone: 'UTC' }) },
  'PUT /api/notification/:userId/webhook': { ...byUser, body: () => ({ url: 'https://mallory.example/hook' }) },
  'POST /api/notification/:userId/webhook/test': byUser,
  'DELETE /api/notification/:userId/webhook': byUser,
  'POST /api/notification/:userId/telegram': byUser,
  'DELETE /api/notification/:userId/telegram': byUser,
  'GET /api/push/key': { access: 'self' },
  'POST /api/push/subscriptions': { access: 'self', body: () => ({ ...BROWSER }) },
  'DELETE /api/push/subscriptions': { access: 'self' },
  'POST /api/push/subscriptions/renew': {
    access: 'public',
    body: () => ({ ...BROWSER, old: { endpoint: BROWSER.endpoint, auth: BROWSER.keys.auth } }),
  },
  'GET /api/alerts/:userId': byUser,
  'GET /api/alerts/:userId/history': byUser,
  'PUT /api/alerts/:userId/:id': { ...alert, body: () => ({ alert: { ...ALERT }, seen: null }) },
  'POST /api/alerts/:userId/:id/pause': { ...alert, body: () => ({ paused: true }) },
  'DELETE /api/alerts/:userId/:id': alert,
  'POST /api/watchlist': {
    access: 'named',
    body: ({ userId }) => ({ userId, cryptoId: 1, cryptoSymbol: 'BTC', cryptoName: 'Bitcoin', actionType: 1 }),
  },
  'POST /api/watchlist/:userId': { ...byUser, body: () => ({ limit: 10 }) },
  'POST /api/watchlist/:userId/order': { ...byUser, body: () => ({ cryptoId: 1, beforeId: null }) },
  'POST /api/buy-subscription': {
    access: 'named',
    body: ({ userId, appUserId }) => ({ userId, appUserId, planType: 'PREMIUM', receipt: 'none' }),
  },
  'POST /api/test-store/purchases': { access: 'self', body: () => ({ productId: 'basic_monthly', outcome: 'declined' }) },
  'POST /api/test-store/changes': { access: 'self', body: () => ({ change: 'cancel' }) },

  'GET /api/backtests': { access: 'self' },
  'POST /api/backtests': { access: 'self', body: () => ({ ...BACKTEST }) },
  'GET /api/backtests/:id': backtest,
  'DELETE /api/backtests/:id': backtest,

  'GET /api/v1/trading-bots': { access: 'named', query: ({ userId }) => ({ user_id: userId }) },
  'POST /api/v1/trading-bots': {
    access: 'named',
    body: ({ userId }) => ({ user_id: userId, bot_name: 'Tide', position_size: '1000', leverage: 15, ...KEYS }),
  },
  'GET /api/v1/users/:userId/trading-bots': byUser,
  'GET /api/v1/trading-bots/:id': bot,
  'PUT /api/v1/trading-bots/:id': { ...bot, body: () => ({ bot_name: 'Mine now' }) },
  'DELETE /api/v1/trading-bots/:id': bot,
  'GET /api/v1/trading-bots/:id/report': bot,
  'GET /api/v1/trading-bots/deleted': { access: 'self' },
  'GET /api/v1/trading-bots/:id/trades': bot,
  'GET /api/v1/trading-bots/:id/trades.csv': bot,
  'GET /api/v1/trading-bots/:id/profits': bot,
  'GET /api/v1/trading-bots/:id/chart': bot,
  'GET /api/v1/trading-bots/:id/comparison': bot,
  'POST /api/v1/trading-bots/:id/start': bot,
  'POST /api/v1/trading-bots/:id/stop': { ...bot, body: () => ({ mode: 'close' }) },
  'POST /api/v1/trading-bots/:id/close': bot,
  'POST /api/v1/trading-bots/:id/pause': bot,
  'POST /api/v1/trading-bots/:id/resume': bot,
};

export interface BuiltCall {
  method: string;
  path: string;
  body?: object;
}

/** Builds a call of a route with the ids of `of`. @throws Error for a route without a rule. */
export function buildCall(route: { method: string; path: string }, of: Owned): BuiltCall & { rule: CallRule } {
  const rule = CALLS[`${route.method} ${route.path}`];
  if (!rule) throw new Error(`tests/attack/calls.ts has no rule for ${route.method} ${route.path}`);
  const params = rule.params?.(of) ?? {};
  const query = rule.query ? `?${new URLSearchParams(rule.query(of))}` : '';
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) + query;
  const fields = rule.body?.(of);
  const body = fields && (rule.isForm ? formOf(fields) : fields);
  return { method: route.method, path, rule, ...(body && { body }) };
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'image') form.append(name, new File([String(value)], 'a.png', { type: 'image/png' }));
    else form.append(name, String(value));
  }
  return form;
}
