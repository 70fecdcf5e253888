import { BlockList, isIP } from 'node:net';
import path from 'node:path';
import * as z from 'zod/mini';
import { EXCHANGE_NAMES, EXCHANGES, type ExchangeName } from '#contract/bots/exchanges.ts';
import { HOUR, MINUTE } from '../domain/clock.ts';
import { PRODUCT } from '../domain/product.ts';
import { prepareDataDir, previousSecret, replaceStoredSecret, storedSecret } from './secrets.ts';
import { StartupError } from './startup-error.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** Candles that the strategy may trade, and their length in ms. */
const INTERVAL_MS = { '5m': 5 * MINUTE, '15m': 15 * MINUTE, '30m': 30 * MINUTE, '1h': HOUR, '4h': 4 * HOUR } as const;
const INTERVALS = Object.keys(INTERVAL_MS) as (keyof typeof INTERVAL_MS)[];
/** What one process does: everything, all but trading, or the bot service alone. */
const ROLES = ['all', 'web', 'bots'] as const;
const MIN_SECRET = 32;
/** Characters of one setting: no pattern below reads a longer one. */
const MAX_SETTING = 4096;

const wholeNumber = (min: number, max: number) => {
  const complaint = `must be a whole number from ${min} to ${max}`;
  return z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,15}$/, complaint)), z.transform(Number)),
    z.number().check(z.minimum(min, complaint), z.maximum(max, complaint)),
  );
};

const urlWith = (...protocols: string[]) => {
  const complaint = `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z.string().check(z.refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), complaint));
};

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;
const splitList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const apiKey = z.string().check(z.regex(/^[\x21-\x7e]{8,200}$/, 'must be an API key: 8 to 200 letters, digits and signs'));

const secret = z.string().check(z.refine((text) => text.length >= MIN_SECRET, `must have at least ${MIN_SECRET} characters`));

/** Proxies believed with `on`: those on this machine and in its private networks (names of proxy-addr). */
const NEAR_PROXIES = ['loopback', 'linklocal', 'uniquelocal'];

/** Whose X-Forwarded-For is believed: nobody's, the near proxies', or that of listed addresses and networks. */
const trustProxy = z.pipe(
  z.string().check(z.refine(isProxyTrust, 'must be off, on, or a comma-separated list of addresses and networks')),
  z.transform((text): false | string[] => {
    if (text === 'off') return false;
    return text === 'on' ? NEAR_PROXIES : splitList(text);
  }),
);

function isProxyTrust(text: string): boolean {
  if (text === 'off' || text === 'on') return true;
  return splitList(text).every((part) => {
    const [address = '', bits, ...rest] = part.split('/');
    const width = isIP(address) === 6 ? 128 : 32;
    return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= width));
  });
}

const settings = z.object({
  PORT: z._default(wholeNumber(1, 65535), 8080),
  HOST: z._default(z.string(), '127.0.0.1'),
  DATA_DIR: z._default(z.string(), '.data'),
  PUBLIC_URL: z.optional(urlWith('http:', 'https:')),
  ALLOWED_ORIGINS: z._default(
    z.pipe(
      z
        .string()
        .check(
          z.refine((text) => splitList(text).every(isOrigin), 'must be a comma-separated list of origins such as https://app.example.com'),
        ),
      z.transform(splitList),
    ),
    [],
  ),
  TRUST_PROXY: z._default(trustProxy, false),
  LOG_LEVEL: z._default(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
  JWT_SECRET: z.optional(secret),
  SECRETS_KEY: z.optional(secret),
  SECRETS_KEY_PREVIOUS: z.optional(secret),
  DATABASE_URL: z.optional(urlWith('postgres:', 'postgresql:')),
  SMTP_URL: z.optional(urlWith('smtp:', 'smtps:')),
  MAIL_FROM: z._default(
    z.string().check(z.regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'must be an address, such as Tidemark <no-reply@example.com>')),
    `${PRODUCT} <no-reply@localhost>`,
  ),
  VITE_API_URL: z.optional(z.string()),
  VITE_SOCKET_URL: z.optional(z.string()),
  VITE_BOT_API_URL: z.optional(z.string()),
  VITE_INDICATOR_URL: z.optional(z.string()),
  CMC_API_KEY: z.optional(apiKey),
  CMC_BASE_URL: z._default(urlWith('http:', 'https:'), 'https://pro-api.coinmarketcap.com'),
  PICTURES_AT_ONCE: z._default(wholeNumber(1, 16), 1),
  CMC_DAILY_CREDITS: z._default(wholeNumber(20, 100_000_000), 10_000),
  AI_BASE_URL: z.optional(urlWith('http:', 'https:')),
  AI_API_KEY: z.optional(z.string()),
  AI_MODEL: z.optional(z.string()),
  REVENUECAT_API_KEY: z.optional(apiKey),
  REVENUECAT_BASE_URL: z._default(urlWith('http:', 'https:'), 'https://api.revenuecat.com'),
  REVENUECAT_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^[\x20-\x7e]{8,200}$/, 'must have 8 to 200 letters, digits and signs'))),
  TEST_STORE: z.optional(z.enum(['on', 'off'], 'must be on or off')),
  EXCHANGE: z._default(z.enum(EXCHANGE_NAMES, `must be one of ${EXCHANGE_NAMES.join(', ')}`), 'paper'),
  EXCHANGE_TESTNET: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
  EXCHANGE_BASE_URL: z.optional(urlWith('http:', 'https:')),
  REFERRAL_CODE: z.optional(z.string().check(z.regex(/^[\w-]{1,40}$/, 'must be a code: up to 40 letters and digits'))),
  AFFILIATE_API_KEY: z.optional(apiKey),
  AFFILIATE_API_SECRET: z.optional(apiKey),
  EXCHANGE_SIGNUP_URL: z._default(urlWith('https:', 'http:'), 'https://www.bybit.com/register'),
  REFERRAL_URLS: z._default(
    z.pipe(
      z.string().check(
        z.refine((text) => {
          const urls = splitList(text);
          return urls.length === 2 && urls.every((url) => /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''));
        }, 'must be two addresses, separated by a comma'),
      ),
      z.transform(splitList),
    ),
    ['https://www.bybit.com/register', 'https://www.bybit.com/invite'],
  ),
  EGRESS_ADDRESSES: z._default(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            (text) => splitList(text).every((part) => isIP(part) !== 0),
            'must be a comma-separated list of addresses such as 192.0.2.1',
          ),
        ),
      z.transform(splitList),
    ),
    [],
  ),
  STRATEGY_INTERVAL: z._default(z.enum(INTERVALS, `must be one of ${INTERVALS.join(', ')}`), '15m'),
  PAPER_SPEED: z._default(wholeNumber(1, 100_000), 60),
  ROLE: z._default(z.enum(ROLES, `must be one of ${ROLES.join(', ')}`), 'all'),
  MAX_SOCKETS_PER_USER: z._default(wholeNumber(1, 1000), 10),
  MAX_SOCKETS_PER_NETWORK: z._default(wholeNumber(1, 100_000), 50),
  MARKET_SEED: z._default(wholeNumber(0, 2 ** 32 - 1), 1),
  MARKET_TICK_MS: z._default(wholeNumber(100, 3_600_000), 5000),
  USER_QUOTA_MB: z._default(wholeNumber(1, 1_000_000), 100),
});

/** Every setting of the server, parsed. README lists them for people. */
export interface Config {
  port: number;
  host: string;
  /** Absolute. Holds the database, the secrets and the file outbox. */
  dataDir: string;
  /** Where people reach the app; no slash at the end. */
  publicUrl: string;
  /** Other origins that may call the API and the socket. */
  allowedOrigins: readonly string[];
  /** Origins of services that the client was built to call elsewhere; its content policy must name them. */
  clientHosts: readonly string[];
  /** Origin of the indicator that the client was built to frame in place of its own. */
  frameHosts: readonly string[];
  trustProxy: false | string[];
  logLevel: (typeof LOG_LEVELS)[number];
  /** Signs access tokens. */
  jwtSecret: string;
  /** Keys what the database must not give away by itself. */
  secretsKey: string;
  /** The key before, while exchange keys may still be sealed under it. */
  previousSecretsKey: string | undefined;
  /** The key was made in `dataDir`, for this process alone: `rotate-key` may replace it there. */
  ownSecretsKey: boolean;
  databaseUrl: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  cmcApiKey: string | undefined;
  cmcBaseUrl: string;
  /** Credits of the provider that a UTC day may cost, all processes together. */
  cmcDailyCredits: number;
  /** Questions with a picture that are answered at a time, each with a reading thread. */
  picturesAtOnce: number;
  /** The language model that answers; undefined where the built-in analyst does. */
  ai: { baseUrl: string; key: string; model: string } | undefined;
  /** What plans are paid through; undefined without a key. */
  revenueCat: { key: string; baseUrl: string } | undefined;
  /** What RevenueCat's webhook has to bring along; without it nothing is heard. */
  webhookSecret: string | undefined;
  /** Plans are sold by the test store. */
  testStore: boolean;
  role: (typeof ROLES)[number];
  /** Where bots trade, whether on the exchange's test network, and what takes the place of its addresses. */
  exchange: { kind: ExchangeName; testnet: boolean; baseUrl: string | undefined };
  /** How people come to an account with our referral code. */
  referral: {
    signUpUrl: string;
    /** The two links of the guidelines. */
    urls: readonly string[];
    /** As the exchange tells it of accounts that came with it. */
    code: string | undefined;
    /** The operator's own key, which may ask the exchange who came through them. */
    affiliate: { key: string; secret: string } | undefined;
  };
  /** The addresses that orders come from, for people who bind their keys to them. */
  egressAddresses: readonly string[];
  /** Length of the candles that the strategy trades, ms. */
  strategyInterval: number;
  /** How much faster than life the paper market is replayed. */
  paperSpeed: number;
  /** Live sockets that a process holds at a time. */
  maxSockets: { perUser: number; perNetwork: number };
  marketSeed: number;
  marketTickMs: number;
  /** Bytes of pictures that a user may have on the server. */
  userQuota: number;
}

/** Reads the settings; makes the data directory and its secrets where needed. Throws `StartupError` with the first complaint. */
export function readConfig(env: Record<string, string | undefined>): Config {
  // An empty variable is how a shell or a compose file says "not set".
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const overlong = Object.keys(settings.shape).find((name) => (given[name]?.length ?? 0) > MAX_SETTING);
  if (overlong) throw new StartupError(`${overlong}: must have at most ${MAX_SETTING} characters.`);
  const parsed = z.safeParse(settings, given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new StartupError(`${issue?.path.join('.')}: ${issue?.message}.`);
  }
  const read = parsed.data;
  const dataDir = path.resolve(read.DATA_DIR);
  const publicUrl = (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, '');
  demandPublicUrl(read.HOST, publicUrl);
  const testStore = readTestStore(read, publicUrl);
  const affiliate = readAffiliate(read);
  prepareDataDir(dataDir);
  return {
    port: read.PORT,
    host: read.HOST,
    dataDir,
    publicUrl,
    allowedOrigins: read.ALLOWED_ORIGINS,
    clientHosts: originsOf(read.VITE_API_URL, read.VITE_SOCKET_URL, read.VITE_BOT_API_URL),
    frameHosts: originsOf(read.VITE_INDICATOR_URL),
    trustProxy: read.TRUST_PROXY,
    logLevel: read.LOG_LEVEL,
    jwtSecret: read.JWT_SECRET ?? storedSecret(dataDir, 'jwt-secret'),
    ...readSecretsKeys(read, dataDir),
    databaseUrl: read.DATABASE_URL,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    cmcApiKey: read.CMC_API_KEY,
    cmcBaseUrl: read.CMC_BASE_URL,
    cmcDailyCredits: read.CMC_DAILY_CREDITS,
    picturesAtOnce: read.PICTURES_AT_ONCE,
    ai: readAi(read),
    revenueCat: read.REVENUECAT_API_KEY === undefined ? undefined : { key: read.REVENUECAT_API_KEY, baseUrl: read.REVENUECAT_BASE_URL },
    webhookSecret: read.REVENUECAT_WEBHOOK_SECRET,
    testStore,
    role: read.ROLE,
    exchange: { kind: read.EXCHANGE, testnet: read.EXCHANGE_TESTNET === 'on', baseUrl: read.EXCHANGE_BASE_URL?.replace(/\/+$/, '') },
    referral: {
      signUpUrl: read.EXCHANGE_SIGNUP_URL,
      urls: read.REFERRAL_URLS,
      code: read.REFERRAL_CODE,
      affiliate,
    },
    egressAddresses: read.EGRESS_ADDRESSES,
    strategyInterval: INTERVAL_MS[read.STRATEGY_INTERVAL],
    paperSpeed: read.PAPER_SPEED,
    maxSockets: { perUser: read.MAX_SOCKETS_PER_USER, perNetwork: read.MAX_SOCKETS_PER_NETWORK },
    marketSeed: read.MARKET_SEED,
    marketTickMs: read.MARKET_TICK_MS,
    userQuota: read.USER_QUOTA_MB * 1_000_000,
  };
}

/** Paths are on our own origin, which need not be named. */
const originsOf = (...urls: (string | undefined)[]): string[] =>
  urls.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []));

/** The file of the generated SECRETS_KEY in the data directory. */
const SECRETS_KEY_FILE = 'secrets-key';

function readSecretsKeys(
  { SECRETS_KEY, SECRETS_KEY_PREVIOUS, DATABASE_URL }: z.infer<typeof settings>,
  dataDir: string,
): Pick<Config, 'secretsKey' | 'previousSecretsKey' | 'ownSecretsKey'> {
  const secretsKey = SECRETS_KEY ?? storedSecret(dataDir, SECRETS_KEY_FILE);
  const previous = SECRETS_KEY_PREVIOUS ?? (SECRETS_KEY === undefined ? previousSecret(dataDir, SECRETS_KEY_FILE) : undefined);
  return {
    secretsKey,
    previousSecretsKey: previous === secretsKey ? undefined : previous,
    ownSecretsKey: SECRETS_KEY === undefined && DATABASE_URL === undefined,
  };
}

/** What the safe of exchange keys needs. */
export const secretsKeysOf = ({ secretsKey, previousSecretsKey, ownSecretsKey, dataDir }: Config) => ({
  secretsKey,
  previousSecretsKey,
  generateSecretsKey: ownSecretsKey ? () => replaceStoredSecret(dataDir, SECRETS_KEY_FILE) : undefined,
});

/** All three settings, or none. */
function readAi({ AI_BASE_URL, AI_API_KEY, AI_MODEL }: z.infer<typeof settings>): Config['ai'] {
  if (AI_BASE_URL === undefined && AI_API_KEY === undefined && AI_MODEL === undefined) return undefined;
  if (AI_BASE_URL === undefined) throw new StartupError('AI_BASE_URL: is needed beside AI_API_KEY and AI_MODEL.');
  if (AI_MODEL === undefined) throw new StartupError('AI_MODEL: is needed beside AI_BASE_URL.');
  // Servers on the own machine often want no key.
  return { baseUrl: AI_BASE_URL.replace(/\/+$/, ''), key: AI_API_KEY ?? 'none', model: AI_MODEL };
}

/** Key and secret, or neither; a live exchange needs one way at least to tell who came through us. */
function readAffiliate({
  EXCHANGE,
  REFERRAL_CODE,
  AFFILIATE_API_KEY: key,
  AFFILIATE_API_SECRET: secret,
}: z.infer<typeof settings>): Config['referral']['affiliate'] {
  if (secret === undefined && key !== undefined) throw new StartupError('AFFILIATE_API_SECRET: is needed beside AFFILIATE_API_KEY.');
  if (key === undefined && secret !== undefined) throw new StartupError('AFFILIATE_API_KEY: is needed beside AFFILIATE_API_SECRET.');
  if (!EXCHANGES[EXCHANGE].isSimulated && REFERRAL_CODE === undefined && key === undefined)
    throw new StartupError(`REFERRAL_CODE: is needed for EXCHANGE=${EXCHANGE}, or AFFILIATE_API_KEY and AFFILIATE_API_SECRET.`);
  return key === undefined || secret === undefined ? undefined : { key, secret };
}

/** It gives plans away, so it is open only where nobody but this machine is served and no real store is asked. */
function readTestStore({ TEST_STORE, REVENUECAT_API_KEY }: z.infer<typeof settings>, publicUrl: string): boolean {
  const possible = isLoopback(new URL(publicUrl).hostname) && REVENUECAT_API_KEY === undefined;
  if (TEST_STORE === 'on' && !possible) {
    throw new StartupError('TEST_STORE: can be on only while PUBLIC_URL is an address of this machine and no REVENUECAT_API_KEY is set.');
  }
  return possible && TEST_STORE !== 'off';
}

/** A server that others reach must say where: mailbox and test store are open while PUBLIC_URL is loopback. */
function demandPublicUrl(host: string, publicUrl: string): void {
  if (isLoopback(host) || !isLoopback(new URL(publicUrl).hostname)) return;
  throw new StartupError(
    `HOST: ${host} serves other machines, so set PUBLIC_URL to the address they use, such as https://app.example.com.`,
  );
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * True for names and addresses that only this machine answers to.
 * @param host the host of a URL, or an address as Node writes it; IPv6 with or without brackets, IPv4-mapped too
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const version = isIP(name);
  if (version === 0) return name === 'localhost' || name.endsWith('.localhost');
  return loopback.check(name, version === 6 ? 'ipv6' : 'ipv4');
}
