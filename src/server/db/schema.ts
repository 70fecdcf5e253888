import { sql } from 'drizzle-orm';
import {
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({ dataType: () => 'bytea', fromDriver: (value) => Buffer.from(value) });
/** Name and size of content in the blob store; null while a row from before the store still holds its bytes itself. */
const blobHash = (name: string) => text(name);
const blobSize = (name: string) => integer(name).notNull().default(0);
const created = () => time('created_at').notNull().defaultNow();

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** Trimmed and lower-cased. */
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** ISO 3166-1 alpha-2 in lower case, or empty. */
    country: text('country').notNull().default(''),
    passwordHash: text('password_hash').notNull(),
    /** The version of the user's row in `profile_pictures`; null without one. */
    profileImage: text('profile_image'),
    verifiedAt: time('verified_at'),
    /** Who this user is to the payment channel. */
    appUserId: uuid('app_user_id').notNull().defaultRandom(),
    /** Set while the operator deletes the account: nobody can sign in, and nothing new is stored. */
    erasingAt: time('erasing_at'),
    createdAt: created(),
  },
  (table) => [uniqueIndex('users_email').on(table.email), uniqueIndex('users_app_user').on(table.appUserId)],
);

/** A picture as it is served: a small WebP in the blob store. */
export const profilePictures = pgTable(
  'profile_pictures',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: blobHash('hash'),
    size: blobSize('size'),
    /** Only in rows that server/blobs has not moved yet. */
    webp: bytes('webp'),
  },
  (table) => [index('profile_pictures_hash').on(table.hash)],
);

/**
 * A sign-up whose address is not verified yet. Several may wait for one address: the code that is entered decides which
 * one becomes the account, with its own password and names.
 */
export const registrations = pgTable(
  'registrations',
  {
    /** Becomes the user's id. */
    id: uuid('id').primaryKey().defaultRandom(),
    /** Trimmed and lower-cased, as in `users`; so is `country`. */
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    country: text('country').notNull().default(''),
    passwordHash: text('password_hash').notNull(),
    /** The network prefix it came from (http/network); null for those of earlier versions. */
    network: text('network'),
    createdAt: created(),
  },
  (table) => [
    index('registrations_email').on(table.email, table.createdAt),
    index('registrations_network').on(table.network, table.createdAt),
    index('registrations_created').on(table.createdAt),
  ],
);

/**
 * The code last mailed for one purpose; a new one replaces it. A 'reset-grant' is what a right 'reset-password' code is
 * traded for. The holder is a registration's id, a user's, or a made-up one for an address that has neither: guessing
 * looks the same at each.
 */
export const codes = pgTable(
  'codes',
  {
    userId: uuid('user_id').notNull(),
    purpose: text('purpose', { enum: ['verify-email', 'reset-password', 'reset-grant'] }).notNull(),
    codeHash: text('code_hash').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    /** When it was entered. It is good for nothing from then on; only a repeat of the same request is told so. */
    usedAt: time('used_at'),
    expiresAt: time('expires_at').notNull(),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.purpose] })],
);

/** Wrong codes on a day (UTC) of a user or, without one, of an address (docs/decisions.md, Session and codes). */
export const codeGuards = pgTable('code_guards', {
  userId: uuid('user_id').primaryKey(),
  /** YYYY-MM-DD. */
  day: text('day').notNull(),
  wrongTries: integer('wrong_tries').notNull().default(0),
  /** Those of them that were reset codes. */
  resetTries: integer('reset_tries').notNull().default(0),
});

/** Mailed links: one with a registration verifies its address, one with a user sets a new password. Used once. */
export const mailedLinks = pgTable(
  'mailed_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    registrationId: uuid('registration_id').references(() => registrations.id, { onDelete: 'cascade' }),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('mailed_links_user').on(table.userId),
    index('mailed_links_registration').on(table.registrationId),
    index('mailed_links_end').on(table.expiresAt),
  ],
);

/** One signed-in device. Revoking it ends its whole family of refresh tokens. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    revokedAt: time('revoked_at'),
    /** Browser and system, such as `Chrome on Android`; null for sessions opened before names were kept. */
    clientName: text('client_name'),
    /** The network prefix of the sign-in, never the full address. */
    network: text('network'),
    /** Written at most once every few minutes; null means not since sign-in. */
    lastSeenAt: time('last_seen_at'),
    /** When the user last gave the password in this session. */
    provenAt: time('proven_at'),
    createdAt: created(),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

/**
 * The refresh tokens of a session that are still good. A rotated one stays until its successor is first used
 * (docs/decisions.md, Session and codes); that use deletes it, so a token of a session that has no row here was used twice.
 */
export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    usedAt: time('used_at'),
    expiresAt: time('expires_at').notNull(),
    createdAt: created(),
  },
  (table) => [index('refresh_tokens_session').on(table.sessionId)],
);

/** Ids come from the client, so a user's rows are keyed within that user: nobody can learn or take another's id. */
export const archives = pgTable(
  'archives',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    title: text('title').notNull().default(''),
    /** The title as search sees it (domain/text `fold`): PostgreSQL's own folding depends on its locale. */
    foldedTitle: text('folded_title').notNull().default(''),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] }), index('archives_recent').on(table.userId, table.createdAt)],
);

export const chats = pgTable(
  'chats',
  {
    userId: uuid('user_id').notNull(),
    id: uuid('id').notNull(),
    archiveId: uuid('archive_id').notNull(),
    /** Order within the archive: when the server stored it. */
    position: integer('position').notNull(),
    userMessage: text('user_message').notNull(),
    aiResponse: text('ai_response').notNull().default(''),
    /** Set once the answer (or the error shown in its place) is stored. */
    answeredAt: time('answered_at'),
    /** The answer is an error shown in an answer's place. */
    failed: boolean('failed').notNull().default(false),
    /** Until then the process that took the question is expected to answer it. */
    claimedUntil: time('claimed_until'),
    /** When the analyst was first asked for an answer to this version; from then on the question counts, also when it is stopped. */
    startedAt: time('started_at'),
    /** Raised by every claim and every edit: an answer is stored only for the version it was made for. */
    version: integer('version').notNull().default(0),
    /** Client ids of the edits applied, so that one sent twice is applied once. */
    edits: uuid('edits').array().notNull().default([]),
    /** Question and answer as search sees them (domain/text `fold`). */
    folded: text('folded').notNull().default(''),
    /** Id of the question's picture in `chat_images`. */
    imageId: text('chat_image'),
    /** The user asked for it not to be answered, or not any further. */
    stopped: boolean('stopped').notNull().default(false),
    rating: text('rating', { enum: ['up', 'down'] }),
    /** What was read from the picture (contract/chat/chart-reading `chartMarks`). */
    marks: jsonb('marks'),
    /** Ids of the coins that question or answer name. */
    coins: integer('coins').array().notNull().default([]),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('chats_order').on(table.userId, table.archiveId, table.position),
    index('chats_unanswered').on(table.answeredAt),
  ],
);

/**
 * What a question costs of its month's allowance (docs/decisions.md, Allowances): reserved when it is stored,
 * spent with its answer, returned when there is none. Each edit and each new try is a charge of its own.
 */
export const charges = pgTable(
  'charges',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The client id of the question, edit or new try. */
    id: uuid('id').notNull(),
    chatId: uuid('chat_id').notNull(),
    kind: text('kind', { enum: ['question', 'chart'] }).notNull(),
    state: text('state', { enum: ['reserved', 'spent', 'returned'] }).notNull(),
    /** YYYY-MM (UTC), the month it counts for. */
    month: text('month').notNull(),
    /** YYYY-MM-DD (UTC), the day on which it was returned because its picture showed no chart or could not be read. */
    freeDay: text('free_day'),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] }), index('charges_month').on(table.userId, table.month)],
);

/** Pictures of questions, decoded and written anew; only their user reads them. */
export const chatImages = pgTable(
  'chat_images',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Chosen by the client. */
    id: uuid('id').notNull(),
    type: text('type').notNull(),
    hash: blobHash('hash'),
    size: blobSize('size'),
    /** A small WebP for rows and for reading offline. */
    previewHash: blobHash('preview_hash'),
    previewSize: blobSize('preview_size'),
    /** Only in rows that server/blobs has not moved yet. */
    bytes: bytes('bytes'),
    preview: bytes('preview'),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('chat_images_hash').on(table.hash),
    index('chat_images_preview_hash').on(table.previewHash),
  ],
);

/** The coins a user put a heart on. */
export const watchedCoins = pgTable(
  'watched_coins',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    coinId: integer('coin_id').notNull(),
    symbol: text('symbol').notNull(),
    name: text('name').notNull(),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.coinId] })],
);

/** Days of coins as they were seen, for charts where the provider gives no history. Prices in USD. */
export const coinDays = pgTable(
  'coin_days',
  {
    coinId: integer('coin_id').notNull(),
    /** YYYY-MM-DD (UTC). */
    day: text('day').notNull(),
    open: doublePrecision('open').notNull(),
    high: doublePrecision('high').notNull(),
    low: doublePrecision('low').notNull(),
    close: doublePrecision('close').notNull(),
  },
  (table) => [primaryKey({ columns: [table.coinId, table.day] })],
);

/** The first answer to a command, replayed to whoever sends the same key again. Written with the change itself. */
export const idempotency = pgTable(
  'idempotency',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    route: text('route').notNull(),
    /** SHA-256 of the request's body: the same key over another body is a mistake, not a replay. */
    requestHash: text('request_hash').notNull(),
    status: integer('status').notNull(),
    answer: jsonb('answer').notNull(),
    /** SHA-256 of an answer that is too large to keep: it is read again from the resource. Null where `answer` has it. */
    answerHash: text('answer_hash'),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] }), index('idempotency_newest').on(table.userId, table.createdAt)],
);

/** What users wrote to support. A deletion request is such a message (spec §6). */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['contact', 'deletion'] }).notNull(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    message: text('message').notNull(),
    /** The idempotency key it came with: a device may send it again after the stored answer has expired. */
    key: text('key'),
    /** What the operator wrote back, and when. */
    reply: text('reply'),
    repliedAt: time('replied_at'),
    /** When the acknowledgement is mailed once more; null once it was. */
    acknowledgeAt: time('acknowledge_at'),
    createdAt: created(),
  },
  (table) => [
    index('contact_messages_kind').on(table.kind, table.createdAt),
    uniqueIndex('contact_messages_key').on(table.userId, table.key),
  ],
);

/** Pictures that came with a message to support, as they were sent. */
export const contactFiles = pgTable(
  'contact_files',
  {
    messageId: uuid('message_id')
      .notNull()
      .references(() => contactMessages.id, { onDelete: 'cascade' }),
    place: integer('place').notNull(),
    name: text('name').notNull(),
    type: text('type').notNull(),
    hash: blobHash('hash'),
    size: blobSize('size'),
    /** Only in rows that server/blobs has not moved yet. */
    bytes: bytes('bytes'),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.place] }), index('contact_files_hash').on(table.hash)],
);

/** Every blob that a row names: whose it is, for quotas, exports, erasure and the collection of orphans. */
export const userBlobs = pgView('user_blobs', {
  userId: uuid('user_id').notNull(),
  kind: text('kind', { enum: ['profile', 'chat', 'preview', 'contact'] }).notNull(),
  /** Null while the row still holds its bytes itself. */
  hash: text('hash'),
  size: integer('size').notNull(),
}).as(sql`
  select user_id, 'profile' as kind, hash, size from profile_pictures
  union all select user_id, 'chat', hash, size from chat_images
  union all select user_id, 'preview', preview_hash, preview_size from chat_images
  union all select contact_messages.user_id, 'contact', contact_files.hash, contact_files.size
    from contact_files join contact_messages on contact_messages.id = contact_files.message_id`);

/** What a user has paid for, as last verified with the store. Without a row, or after `endsAt`, it is the Free plan. */
export const subscriptions = pgTable('subscriptions', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  plan: text('plan', { enum: ['BASIC', 'PRO', 'PREMIUM'] }).notNull(),
  store: text('store', { enum: ['test', 'revenuecat'] }).notNull(),
  endsAt: time('ends_at').notNull(),
  renews: boolean('renews').notNull(),
  /** The lower plan it becomes at `endsAt`; null as it is. */
  nextPlan: text('next_plan', { enum: ['BASIC', 'PRO', 'PREMIUM'] }),
  verifiedAt: time('verified_at').notNull(),
  /** The plan that the user was last told to be on: another one is news. */
  told: text('told', { enum: ['FREE', 'BASIC', 'PRO', 'PREMIUM'] })
    .notNull()
    .default('FREE'),
});

/** The test store's own books: what somebody "bought" there. Only a signed receipt from here is ever honoured. */
export const testStore = pgTable('test_store', {
  appUserId: uuid('app_user_id').primaryKey(),
  product: text('product').notNull(),
  expiresAt: time('expires_at').notNull(),
  renews: boolean('renews').notNull(),
  nextProduct: text('next_product'),
});

/** Events and receipts of stores that were already acted on: none counts twice. */
export const storeEvents = pgTable('store_events', { id: text('id').primaryKey(), createdAt: created() });

/** What a user should know of, newest kept. */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['subscription', 'support', 'security', 'bot'] }).notNull(),
    text: text('text').notNull(),
    link: text('link'),
    readAt: time('read_at'),
    createdAt: created(),
  },
  (table) => [index('notifications_user').on(table.userId, table.createdAt)],
);

/** Trading bots. What they are told stands here; what they did stands in the tables below. */
export const bots = pgTable(
  'bots',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    status: text('status', { enum: ['PROVISIONING', 'RUNNING', 'STOPPING', 'STOPPED', 'ERROR'] }).notNull(),
    statusReason: text('status_reason'),
    /** Why nothing new is opened although it runs: by the user, a guard, a lapsed plan. */
    pausedBy: text('paused_by', { enum: ['user', 'guard', 'access', 'operator'] }),
    pausedReason: text('paused_reason'),
    /** What STOPPING does with an open position. */
    stopMode: text('stop_mode', { enum: ['close', 'keep'] }),
    /** USD. */
    positionSize: integer('position_size').notNull(),
    leverage: integer('leverage').notNull(),
    exchange: text('exchange', { enum: ['paper', 'bybit'] }).notNull(),
    testnet: boolean('testnet').notNull().default(false),
    /** Key and secret, sealed with AES-256-GCM under SECRETS_KEY; opened by the engine alone. */
    sealedKeys: bytes('sealed_keys').notNull(),
    keyHint: text('key_hint').notNull(),
    /** Tells an exchange account that is in use already, without telling which: HMAC under SECRETS_KEY. */
    keyDigest: text('key_digest').notNull(),
    keyCheckedAt: time('key_checked_at'),
    keyExpiresAt: time('key_expires_at'),
    /** Days before the key's end at which its owner was last told. */
    keyWarnedDays: integer('key_warned_days'),
    /** Losing streak, day's loss, peak of equity … (server/strategy guards), as they were after the last change. */
    guards: jsonb('guards').notNull().default({}),
    /** USD, as last seen at the exchange. */
    equity: doublePrecision('equity').notNull(),
    /** The open position as last seen (ports/exchange ExchangePosition); null without one. */
    position: jsonb('position'),
    /** Opening time of the last candle that was acted on, ms of the feed's time. */
    handledCandle: doublePrecision('handled_candle'),
    /** Up to where the exchange's fills were written down, ms. */
    fillsSeenTo: doublePrecision('fills_seen_to').notNull().default(0),
    lastExchangeAt: time('last_exchange_at'),
    /** Who works on it, until when, and the token that each new holder raises: a write under an older one is refused. */
    leaseOwner: text('lease_owner'),
    leaseUntil: time('lease_until'),
    fence: integer('fence').notNull().default(0),
    createdAt: created(),
  },
  (table) => [
    index('bots_user').on(table.userId, table.createdAt),
    index('bots_status').on(table.status),
    index('bots_key').on(table.keyDigest),
  ],
);

/** Every order a bot meant to send, written before it is sent. */
export const botOrders = pgTable(
  'bot_orders',
  {
    /** The client order id: made from bot, candle and purpose, so that the same intent has the same one. */
    clientId: text('client_id').primaryKey(),
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['entry', 'close', 'target', 'stop'] }).notNull(),
    /** The candle it follows from, ms of the feed's time; null for what a user or a guard asked for. */
    candle: doublePrecision('candle'),
    direction: text('direction', { enum: ['buy', 'sell'] }).notNull(),
    quantity: doublePrecision('quantity').notNull(),
    stop: doublePrecision('stop'),
    target: doublePrecision('target'),
    /** intended: nobody knows whether it was sent; it is looked up before anything else is done. */
    state: text('state', { enum: ['intended', 'accepted', 'filled', 'cancelled', 'rejected'] }).notNull(),
    exchangeId: text('exchange_id'),
    price: doublePrecision('price'),
    filled: doublePrecision('filled').notNull().default(0),
    reason: text('reason'),
    fence: integer('fence').notNull(),
    createdAt: created(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [index('bot_orders_bot').on(table.botId, table.createdAt), index('bot_orders_state').on(table.state)],
);

/** Positions from opening to close. */
export const botTrades = pgTable(
  'bot_trades',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    /** The order that opened it. */
    entryId: text('entry_id').notNull(),
    side: text('side', { enum: ['long', 'short'] }).notNull(),
    quantity: doublePrecision('quantity').notNull(),
    entryPrice: doublePrecision('entry_price').notNull(),
    exitPrice: doublePrecision('exit_price'),
    /** USD; fees and funding taken off. */
    pnl: doublePrecision('pnl').notNull().default(0),
    fees: doublePrecision('fees').notNull().default(0),
    funding: doublePrecision('funding').notNull().default(0),
    reason: text('reason'),
    openedAt: time('opened_at').notNull(),
    /** Null while it is open. */
    closedAt: time('closed_at'),
  },
  (table) => [uniqueIndex('bot_trades_entry').on(table.entryId), index('bot_trades_bot').on(table.botId, table.openedAt)],
);

/** What user, engine and exchange did, in words for the user. Only ever added to. */
export const botEvents = pgTable(
  'bot_events',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    actor: text('actor', { enum: ['user', 'engine', 'exchange'] }).notNull(),
    kind: text('kind').notNull(),
    text: text('text').notNull(),
    /** Makes one that may be told twice stand once; unique within the bot. */
    key: text('key'),
    createdAt: created(),
  },
  (table) => [index('bot_events_bot').on(table.botId, table.createdAt), uniqueIndex('bot_events_key').on(table.botId, table.key)],
);

/** A bot's equity over time. */
export const botEquity = pgTable(
  'bot_equity',
  {
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    at: time('at').notNull(),
    equity: doublePrecision('equity').notNull(),
  },
  (table) => [primaryKey({ columns: [table.botId, table.at] })],
);

/** The signal of each closed candle, computed once for all bots. */
export const botSignals = pgTable('bot_signals', {
  /** Opening time of the candle, ms of the feed's time. */
  candle: doublePrecision('candle').primaryKey(),
  signal: jsonb('signal').notNull(),
  createdAt: created(),
});

/** Work that one process at a time does for all, such as closing candles. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  owner: text('owner').notNull(),
  until: time('until').notNull(),
  fence: integer('fence').notNull().default(0),
});

/**
 * How the paper market's replay has run: from `feedAnchor` on, feed time = feedAnchor + (clock - clockAnchor) x speed.
 * A row is added whenever the speed changes, and goes on from where the feed stood.
 */
export const paperFeed = pgTable('paper_feed', {
  /** Counted up; the highest one holds. */
  id: integer('id').primaryKey(),
  clockAnchor: doublePrecision('clock_anchor').notNull(),
  feedAnchor: doublePrecision('feed_anchor').notNull(),
  speed: doublePrecision('speed').notNull(),
  /** Feed time at which the first candle of the history stands. */
  firstCandle: doublePrecision('first_candle').notNull(),
});

/** The paper exchange's own books: one account a bot, and gone with it. */
export const paperAccounts = pgTable('paper_accounts', {
  botId: uuid('bot_id')
    .primaryKey()
    .references(() => bots.id, { onDelete: 'cascade' }),
  /** Balance, position, open orders (server/strategy/matching BookState). */
  book: jsonb('book').notNull(),
  /** USD it was given. */
  funded: doublePrecision('funded').notNull(),
  /** Up to where the book was advanced, ms of the feed's time. */
  advancedTo: doublePrecision('advanced_to').notNull(),
  /** How many fills it has had; the next one's place. */
  fills: integer('fills').notNull().default(0),
  createdAt: created(),
});

/** Every order the paper exchange was given; a client id twice in one account is refused, as on a real one. */
export const paperOrders = pgTable(
  'paper_orders',
  {
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    clientId: text('client_id').notNull(),
    order: jsonb('order').notNull(),
  },
  (table) => [primaryKey({ columns: [table.botId, table.clientId] })],
);

export const paperFills = pgTable(
  'paper_fills',
  {
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    /** Its place in the account's own order of fills. */
    place: integer('place').notNull(),
    /** ms. */
    at: doublePrecision('at').notNull(),
    fill: jsonb('fill').notNull(),
  },
  (table) => [primaryKey({ columns: [table.botId, table.place] }), index('paper_fills_at').on(table.botId, table.at)],
);

/** Switches the operator has thrown, such as the halt of all bots. */
export const operatorSwitches = pgTable('operator_switches', {
  name: text('name').primaryKey(),
  reason: text('reason').notNull(),
  createdAt: created(),
});

/** Uses of a budget in its current window (server/budgets): shared by every process on this database. */
export const budgets = pgTable(
  'budgets',
  {
    key: text('key').primaryKey(),
    used: integer('used').notNull(),
    endsAt: time('ends_at').notNull(),
  },
  (table) => [index('budgets_end').on(table.endsAt)],
);
