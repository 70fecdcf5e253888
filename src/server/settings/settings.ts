import type * as z from 'zod/mini';
import { EXCHANGE_NAMES } from '#contract/bots/exchange-names.ts';
import { INTERVALS } from '#domain/bots/intervals.ts';
import { PRODUCT } from '#domain/product.ts';
import { VENUE_IDS } from '#server/ports/market-data/exchanges/venue.ts';
import {
  apiKey,
  bucket,
  dollars,
  ipAddresses,
  mailSender,
  namedUrls,
  oneOf,
  onOrOff,
  origins,
  otlpHeaders,
  referralCode,
  region,
  secret,
  share,
  text,
  trustedProxies,
  twoUrls,
  vapidPrivateKey,
  vapidPublicKey,
  vapidSubject,
  webhookSecret,
  wholeNumber,
} from './parsers.ts';
import { baseUrl, link, postgresUrl, redisUrl, site, smtpUrl } from './urls.ts';

export interface Setting {
  parse: z.ZodMiniType;
  /** Used when the setting is not given; undefined without one. */
  default?: unknown;
  /** The default as the README shows it, where it is not `default` itself. */
  shown?: string;
  /** The README's sentence. */
  purpose: string;
  isSecret?: true;
  /** Read when the client is built, and not only by the server. */
  isClient?: true;
  /** The field of `Config` that takes the value as it is. Without it, config.ts derives fields from the value. */
  field?: string;
}

const BYBIT_REGISTER = 'https://www.bybit.com/register';

/** Sites of Bybit. Each has its own accounts and keys. */
export const EXCHANGE_REGIONS = ['global', 'eu', 'nl', 'tr', 'kz', 'ge', 'ae', 'id', 'jp'] as const;
export type ExchangeRegion = (typeof EXCHANGE_REGIONS)[number];
const MARKETS = ['auto', 'coinmarketcap', 'exchanges', 'demo'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every setting, one line each. `npm run docs:settings` writes the README's tables from it. */
// biome-ignore format: one line for each setting
export const SETTINGS = {
  PORT: { field: 'port', parse: wholeNumber(1, 65_535), default: 8080, purpose: 'Port of the app, the API and the socket' },
  HOST: { field: 'host', parse: text, default: '127.0.0.1', purpose: 'Address to listen on. `0.0.0.0` means all addresses and needs a public `PUBLIC_URL`' },
  DATA_DIR: { parse: text, default: '.data', purpose: 'Folder for the database, secrets, pictures and mail files' },
  PUBLIC_URL: { parse: site, shown: '`http://localhost:PORT`', purpose: 'Address where users open the app, without a path' },
  ALLOWED_ORIGINS: { field: 'allowedOrigins', parse: origins, default: [], shown: 'none', purpose: 'Other origins that may call the API and the socket, comma-separated' },
  TRUST_PROXY: { field: 'trustProxy', parse: trustedProxies, default: false, shown: '`off`', purpose: 'Proxies whose `X-Forwarded-For` counts: `on` for this machine and private networks, or a list of addresses and networks' },
  EARLY_HINTS: { field: 'earlyHints', parse: onOrOff, default: 'off', purpose: '`on` sends browsers 103 Early Hints before a page. Proxies must forward them: nginx before 1.29 fails on them' },
  LOG_LEVEL: { field: 'logLevel', parse: oneOf(LOG_LEVELS), default: 'info', purpose: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. The log goes to stderr' },
  JWT_SECRET: { isSecret: true, parse: secret, shown: 'made in `DATA_DIR`', purpose: 'Signs access tokens. At least 32 characters' },
  SECRETS_KEY: { isSecret: true, parse: secret, shown: 'made in `DATA_DIR`', purpose: 'Encrypts exchange keys, hashes codes and signs test purchases. At least 32 characters' },
  SECRETS_KEY_PREVIOUS: { isSecret: true, parse: secret, shown: 'none', purpose: 'Previous `SECRETS_KEY`, during a key rotation (docs/operations.md)' },
  DATABASE_URL: { field: 'databaseUrl', isSecret: true, parse: postgresUrl, shown: 'embedded database', purpose: 'PostgreSQL server to use instead of the embedded database' },
  DATABASE_TIMEOUT: { field: 'databaseTimeout', parse: wholeNumber(1, 600), default: 20, purpose: 'Time limit of a statement at the PostgreSQL server, seconds' },
  DATABASE_POOL: { field: 'databasePool', parse: wholeNumber(5, 100), default: 10, purpose: 'Connections to PostgreSQL that requests share, for each process' },
  DATABASE_LISTEN_URL: { field: 'databaseListenUrl', isSecret: true, parse: postgresUrl, shown: '`DATABASE_URL`', purpose: 'Direct address of PostgreSQL, where `DATABASE_URL` goes through PgBouncer in transaction mode' },
  REDIS_URL: { field: 'redisUrl', isSecret: true, parse: redisUrl, shown: 'PostgreSQL', purpose: 'Redis server that carries news between processes instead of PostgreSQL. Only with `DATABASE_URL`' },
  S3_BUCKET: { parse: bucket, shown: 'files in `DATA_DIR`', purpose: 'Bucket for users\' pictures, for this installation alone. Needs `DATABASE_URL` and both keys' },
  S3_ENDPOINT: { parse: baseUrl, shown: "Amazon's", purpose: 'Address of another S3-compatible server' },
  S3_REGION: { parse: region, default: 'us-east-1', purpose: 'Region of the bucket' },
  S3_ACCESS_KEY_ID: { isSecret: true, parse: text, shown: 'none', purpose: 'Key that may read, write, delete and list the bucket\'s objects' },
  S3_SECRET_ACCESS_KEY: { isSecret: true, parse: text, shown: 'none', purpose: 'Secret of `S3_ACCESS_KEY_ID`' },
  METRICS_PORT: { field: 'metricsPort', parse: wholeNumber(1, 65_535), shown: 'closed', purpose: 'Port of `/metrics` for Prometheus, without users\' data' },
  METRICS_HOST: { field: 'metricsHost', parse: text, default: '127.0.0.1', purpose: 'Address that `METRICS_PORT` listens on' },
  METRICS_TOKEN: { field: 'metricsToken', isSecret: true, parse: secret, shown: 'none', purpose: 'Bearer token for `/metrics`. Without `METRICS_PORT`, it opens `/metrics` on `PORT`. At least 32 characters' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { parse: baseUrl, shown: 'none', purpose: 'OpenTelemetry collector that gets traces by OTLP over HTTP, such as `http://127.0.0.1:4318`. Without it, nothing is traced' },
  OTEL_EXPORTER_OTLP_HEADERS: { isSecret: true, parse: otlpHeaders, default: {}, shown: 'none', purpose: 'Headers for the collector, such as `authorization=Bearer%20…`, comma-separated' },
  OTEL_TRACES_SAMPLER_ARG: { parse: share, default: 1, purpose: 'Share of traces that are recorded, from 0 to 1' },
  DRAIN_SECONDS: { parse: wholeNumber(0, 300), shown: '`5` with `DATABASE_URL`, else `0`', purpose: 'Seconds for which a process still takes requests after SIGTERM while `/readyz` answers 503, so that proxies leave it' },
  ROLE: { field: 'role', parse: oneOf(['all', 'web', 'bots']), default: 'all', purpose: 'What this process runs: `all`, `web` (everything except trading) or `bots` (the bot service only)' },
  SMTP_URL: { field: 'smtpUrl', isSecret: true, parse: smtpUrl, shown: 'mail files', purpose: 'Mail server, `smtp://` or `smtps://`. Without it, mail is written to `DATA_DIR/mail`' },
  MAIL_FROM: { field: 'mailFrom', parse: mailSender, default: `${PRODUCT} <no-reply@localhost>`, purpose: 'Sender of all mail' },
  TELEGRAM_BOT_TOKEN: { isSecret: true, parse: apiKey, shown: 'no Telegram', purpose: 'Token of the Telegram bot that sends notifications (docs/operations.md)' },
  TELEGRAM_BASE_URL: { parse: baseUrl, default: 'https://api.telegram.org', shown: "Telegram's", purpose: 'Other address of the Bot API, such as your own Bot API server' },
  VAPID_SUBJECT: { parse: vapidSubject, shown: '`PUBLIC_URL` or the address of `MAIL_FROM`, if public', purpose: 'Where push services reach the operator, such as `mailto:admin@your-domain.com`. Apple refuses local names' },
  VAPID_PUBLIC_KEY: { parse: vapidPublicKey, shown: 'made in the database', purpose: 'Key that identifies the installation to push services, in base64url. Needs `VAPID_PRIVATE_KEY`' },
  VAPID_PRIVATE_KEY: { isSecret: true, parse: vapidPrivateKey, shown: 'made in the database', purpose: 'Private key of `VAPID_PUBLIC_KEY`, in base64url' },
  PRIVATE_TARGETS: { field: 'privateTargets', parse: origins, default: [], shown: 'none', purpose: 'Origins in private networks, or without TLS, that webhooks and push messages of users may go to, such as `http://192.168.0.5:8080`, comma-separated' },
  MARKET: { field: 'market', parse: oneOf(MARKETS), default: 'auto', purpose: 'Source of market figures: `coinmarketcap`, `exchanges` (no key), `demo`, or `auto`: the first that works (docs/operations.md)' },
  CMC_API_KEY: { field: 'cmcApiKey', isSecret: true, parse: apiKey, shown: 'none', purpose: 'CoinMarketCap API key' },
  CMC_BASE_URL: { field: 'cmcBaseUrl', parse: baseUrl, default: 'https://pro-api.coinmarketcap.com', shown: "the provider's", purpose: 'Other address of the CoinMarketCap API, such as a proxy' },
  CMC_DAILY_CREDITS: { field: 'cmcDailyCredits', parse: wholeNumber(20, 100_000_000), default: 10_000, purpose: 'CoinMarketCap credits for each UTC day, shared by all processes. Coin details get a fifth' },
  EXCHANGES_BASE_URLS: { field: 'exchangesBaseUrls', parse: namedUrls(VENUE_IDS), default: {}, shown: "the exchanges'", purpose: 'Other addresses of the exchanges that give market figures, such as `kraken=https://proxy.example.com`. Others are not asked' },
  MARKET_SEED: { field: 'marketSeed', parse: wholeNumber(0, 2 ** 32 - 1), default: 1, purpose: "Seed of the demo market's random walk" },
  MARKET_TICK_MS: { field: 'marketTickMs', parse: wholeNumber(100, 3_600_000), default: 5000, purpose: 'Milliseconds between price updates. Exchanges update at most every ten seconds, CoinMarketCap once a minute' },
  PICTURES_AT_ONCE: { field: 'picturesAtOnce', parse: wholeNumber(1, 16), default: 1, purpose: 'Picture questions answered in parallel, one for each user. Each uses a thread' },
  AI_BASE_URL: { parse: baseUrl, shown: 'built-in analyst', purpose: 'OpenAI-compatible endpoint, such as `https://api.example.com/v1`, or `http://localhost:11434/v1` for Ollama (docs/operations.md)' },
  AI_API_KEY: { isSecret: true, parse: text, shown: 'none', purpose: 'API key for `AI_BASE_URL`. Without one, requests have no `Authorization` header' },
  AI_MODEL: { parse: text, shown: 'none', purpose: 'Model name. Required with `AI_BASE_URL`' },
  AI_CONTEXT_TOKENS: { parse: wholeNumber(2048, 10_000_000), shown: 'what the endpoint takes', purpose: "Tokens of the model's context. Earlier turns and results of tools are cut to fit" },
  AI_INPUT_PRICE: { parse: dollars(10_000), shown: 'none', purpose: 'USD for a million tokens of input, for the metrics and `AI_DAILY_BUDGET`' },
  AI_OUTPUT_PRICE: { parse: dollars(10_000), shown: 'none', purpose: 'USD for a million tokens of output' },
  AI_DAILY_BUDGET: { parse: dollars(500), shown: 'no limit', purpose: 'USD that a user may cost on a UTC day, for all processes. Then the built-in analyst answers. Needs both prices' },
  REVENUECAT_API_KEY: { isSecret: true, parse: apiKey, shown: 'test store', purpose: 'RevenueCat secret key. Plans are bought in the app stores and verified with RevenueCat' },
  REVENUECAT_BASE_URL: { parse: baseUrl, default: 'https://api.revenuecat.com', shown: "the provider's", purpose: 'Other address of the RevenueCat API, such as a proxy' },
  REVENUECAT_WEBHOOK_SECRET: { field: 'webhookSecret', isSecret: true, parse: webhookSecret, shown: 'webhook closed', purpose: 'Value that `POST /api/webhooks/revenuecat` must send in `Authorization`. At least 8 characters' },
  TEST_STORE: { parse: onOrOff, shown: 'on, on this machine', purpose: '`off` closes the test store. It only opens while `PUBLIC_URL` is loopback and no RevenueCat key is set' },
  EXCHANGE: { parse: oneOf(EXCHANGE_NAMES), default: 'paper', purpose: 'Where bots trade: `paper`, or `bybit` or `okx` for real money on the BTC/USDT perpetual (docs/operations.md)' },
  EXCHANGE_TESTNET: { parse: onOrOff, default: 'off', purpose: "`on` uses Bybit's test network or OKX's demo trading" },
  EXCHANGE_BASE_URL: { parse: baseUrl, shown: "the exchange's", purpose: 'Other address of the exchange, such as `https://api-demo.bybit.com`' },
  EXCHANGE_REGION: { parse: oneOf(EXCHANGE_REGIONS), default: 'global', purpose: "Bybit's site that is asked first: `global`, `eu`, `nl`, `tr`, `kz`, `ge`, `ae`, `id` or `jp`. A key of another site is found there" },
  EXCHANGE_SIGNUP_URL: { parse: link, default: BYBIT_REGISTER, shown: "Bybit's", purpose: 'Where `Sign Up` on the training insight leads' },
  REFERRAL_CODE: { parse: referralCode, shown: 'none', purpose: 'Referral code at the exchange. Bybit needs it or the affiliate key; OKX needs the affiliate key' },
  REFERRAL_URLS: { parse: twoUrls, default: [BYBIT_REGISTER, 'https://www.bybit.com/invite'], shown: "Bybit's", purpose: 'Two links of the guidelines, comma-separated' },
  AFFILIATE_API_KEY: { isSecret: true, parse: apiKey, shown: 'none', purpose: "The operator's key at the exchange. Needs permission to list referred accounts, and no other" },
  AFFILIATE_API_SECRET: { isSecret: true, parse: apiKey, shown: 'none', purpose: 'Secret of `AFFILIATE_API_KEY`' },
  AFFILIATE_API_PASSPHRASE: { isSecret: true, parse: apiKey, shown: 'none', purpose: 'Passphrase of `AFFILIATE_API_KEY`, at OKX' },
  EGRESS_ADDRESSES: { field: 'egressAddresses', parse: ipAddresses, default: [], shown: 'none', purpose: 'IP addresses that orders come from, comma-separated. The create form asks users to bind their keys to them' },
  STRATEGY_INTERVAL: { parse: oneOf(INTERVALS), shown: '`1h`', purpose: 'Candles that bots trade on: `5m`, `15m`, `30m`, `1h` or `4h`. Real money needs `1h` or `4h`' },
  PAPER_FEED: { field: 'paperFeed', parse: oneOf(['live', 'replay']), shown: '`live` where Bybit can be reached at the start', purpose: "Prices of paper money: `live` follows Bybit's public market, `replay` repeats recorded candles" },
  PAPER_SPEED: { field: 'paperSpeed', parse: wholeNumber(1, 100_000), default: 60, purpose: 'Speed of the replay: 60 replays an hour each minute, 1 is real time' },
  MAX_SOCKETS_PER_USER: { parse: wholeNumber(1, 1000), default: 10, purpose: 'Open sockets of one user in a process. A new one replaces the oldest' },
  MAX_SOCKETS_PER_NETWORK: { parse: wholeNumber(1, 100_000), default: 50, purpose: 'Open sockets of one network in a process. Further ones are refused' },
  USER_QUOTA_MB: { parse: wholeNumber(1, 1_000_000), default: 100, purpose: 'Megabytes of pictures for each user: chats, support messages and profile photo' },
  VITE_API_URL: { isClient: true, parse: text, shown: '`/api`', purpose: 'Main API on another host' },
  VITE_BOT_API_URL: { isClient: true, parse: text, shown: '`/api/v1`', purpose: 'Trading-bot service on another host' },
  VITE_SOCKET_URL: { isClient: true, parse: text, shown: "the page's own origin", purpose: 'Socket on another host' },
  VITE_INDICATOR_URL: { isClient: true, parse: text, shown: "the app's own indicator", purpose: 'Other page for the training insight to show in its frame' },
  VITE_STORAGE_KEY: { isClient: true, parse: text, shown: 'a key made on the device', purpose: "Text that the stored session's encryption key is derived from" },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<S extends Setting> = S extends { default: unknown } ? z.output<S['parse']> : z.output<S['parse']> | undefined;

/** The parsed value of every setting. */
export type SettingValues = { [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

type Direct = { [Name in SettingName]: (typeof SETTINGS)[Name] extends { field: string } ? Name : never }[SettingName];

/** The fields of `Config` that are settings as they are. */
export type SettingFields = { [Name in Direct as (typeof SETTINGS)[Name]['field']]: SettingValues[Name] };
