import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLoopback, readConfig } from '#server/config.ts';
import { StartupError } from '#server/startup-error.ts';

let parent: string;
let DATA_DIR: string;

beforeEach(() => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-config-'));
  DATA_DIR = path.join(parent, 'made', 'on', 'start');
});
afterEach(() => fs.rmSync(parent, { recursive: true }));

test('every setting has a default', () => {
  const config = readConfig({ DATA_DIR });
  expect(config).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: DATA_DIR,
    publicUrl: 'http://localhost:8080',
    allowedOrigins: [],
    clientHosts: [],
    frameHosts: [],
    trustProxy: false,
    earlyHints: 'off',
    logLevel: 'info',
    jwtSecret: expect.stringMatching(/^[\w-]{43}$/),
    secretsKey: expect.stringMatching(/^[\w-]{43}$/),
    previousSecretsKey: undefined,
    ownSecretsKey: true,
    madeSecrets: ['JWT_SECRET', 'SECRETS_KEY'],
    databaseUrl: undefined,
    databaseTimeout: 20,
    databasePool: 10,
    databaseListenUrl: undefined,
    redisUrl: undefined,
    metricsHost: '127.0.0.1',
    drainSeconds: 0,
    smtpUrl: undefined,
    mailFrom: 'Tidemark <no-reply@localhost>',
    market: 'auto',
    exchangesBaseUrls: {},
    cmcBaseUrl: 'https://pro-api.coinmarketcap.com',
    cmcDailyCredits: 10_000,
    push: { subject: 'https://www.example.com' },
    privateTargets: [],
    testStore: true,
    exchange: { kind: 'paper', testnet: false, region: 'global' },
    referral: {
      signUpUrl: 'https://www.bybit.com/register',
      urls: ['https://www.bybit.com/register', 'https://www.bybit.com/invite'],
    },
    egressAddresses: [],
    strategyInterval: undefined,
    paperFeed: undefined,
    role: 'all',
    paperSpeed: 60,
    picturesAtOnce: 1,
    userQuota: 100_000_000,
    maxSockets: { perUser: 10, perNetwork: 50 },
    marketSeed: expect.any(Number),
    marketTickMs: expect.any(Number),
  });
});

const EVERY_SETTING = {
  PORT: '3000',
  HOST: '0.0.0.0',
  PUBLIC_URL: 'https://tidemark.example/',
  ALLOWED_ORIGINS: 'https://a.example, http://localhost:5173',
  TRUST_PROXY: '10.0.0.0/8, ::1',
  EARLY_HINTS: 'on',
  LOG_LEVEL: 'debug',
  JWT_SECRET: 'j'.repeat(32),
  SECRETS_KEY: 's'.repeat(32),
  SECRETS_KEY_PREVIOUS: 'p'.repeat(32),
  DATABASE_URL: 'postgres://localhost/tidemark',
  DATABASE_TIMEOUT: '30',
  DATABASE_POOL: '40',
  DATABASE_LISTEN_URL: 'postgres://localhost:5433/tidemark',
  REDIS_URL: 'rediss://localhost',
  S3_BUCKET: 'tidemark.pictures',
  S3_ENDPOINT: 'http://localhost:9000',
  S3_REGION: 'eu-central-1',
  S3_ACCESS_KEY_ID: 'key-of-the-bucket',
  S3_SECRET_ACCESS_KEY: 'secret-of-the-bucket',
  METRICS_PORT: '9464',
  METRICS_HOST: '0.0.0.0',
  METRICS_TOKEN: 'm'.repeat(32),
  DRAIN_SECONDS: '20',
  SMTP_URL: 'smtps://mail.example',
  TELEGRAM_BOT_TOKEN: '123456:token-of-the-bot',
  TELEGRAM_BASE_URL: 'http://localhost:8081/',
  MAIL_FROM: 'hello@tidemark.example',
  VAPID_SUBJECT: 'mailto:admin@tidemark.com',
  VAPID_PUBLIC_KEY: 'BKLh2UExUmdxThsSWeDsRpzb-z4k8J01s1vwF03FJC-JupzQaNrSf7pH2i4FoD2J95Z86XSnt3ar2aa9ew4Q3qI',
  VAPID_PRIVATE_KEY: 'HBiXtXPB3KXXwZQEN0lOysxD0YOcQA55tZ35pN6VFpc',
  PRIVATE_TARGETS: 'http://10.0.0.5:8080, https://push.lan',
  MARKET: 'exchanges',
  EXCHANGES_BASE_URLS: 'kraken=http://localhost:9997/, okx=https://proxy.example/okx',
  CMC_API_KEY: 'key-of-the-provider',
  CMC_BASE_URL: 'http://localhost:9999',
  CMC_DAILY_CREDITS: '333',
  REVENUECAT_API_KEY: 'key-of-revenuecat',
  REVENUECAT_BASE_URL: 'http://localhost:9998',
  REVENUECAT_WEBHOOK_SECRET: 'secret of the webhook',
  AI_BASE_URL: 'http://localhost:1234/v1/',
  AI_API_KEY: 'key-of-the-model',
  AI_MODEL: 'some-model',
  AI_CONTEXT_TOKENS: '4096',
  AI_INPUT_PRICE: '2.5',
  AI_OUTPUT_PRICE: '10',
  AI_DAILY_BUDGET: '0.25',
  MARKET_SEED: '7',
  MARKET_TICK_MS: '1000',
  VITE_API_URL: 'https://api.example/v2',
  VITE_SOCKET_URL: '/',
  VITE_BOT_API_URL: 'https://bots.example/api/v1',
  VITE_INDICATOR_URL: 'https://levels.example/btc',
  EXCHANGE: 'bybit',
  EXCHANGE_TESTNET: 'on',
  EXCHANGE_BASE_URL: 'https://api-demo.bybit.com/',
  EXCHANGE_REGION: 'eu',
  REFERRAL_CODE: 'TIDEMARK',
  AFFILIATE_API_KEY: 'affiliate-key',
  AFFILIATE_API_SECRET: 'affiliate-secret',
  AFFILIATE_API_PASSPHRASE: 'affiliate-passphrase',
  EXCHANGE_SIGNUP_URL: 'https://exchange.example/sign-up',
  REFERRAL_URLS: 'https://one.example, https://two.example/x',
  EGRESS_ADDRESSES: '192.0.2.1, 2001:db8::1',
  STRATEGY_INTERVAL: '1h',
  PAPER_FEED: 'live',
  PAPER_SPEED: '3600',
  MAX_SOCKETS_PER_USER: '4',
  MAX_SOCKETS_PER_NETWORK: '400',
  ROLE: 'bots',
};

const EVERY_SETTING_READ = {
  port: 3000,
  host: '0.0.0.0',
  publicUrl: 'https://tidemark.example',
  allowedOrigins: ['https://a.example', 'http://localhost:5173'],
  clientHosts: ['https://api.example', 'https://bots.example'],
  frameHosts: ['https://levels.example'],
  trustProxy: ['10.0.0.0/8', '::1'],
  earlyHints: 'on',
  logLevel: 'debug',
  jwtSecret: 'j'.repeat(32),
  secretsKey: 's'.repeat(32),
  previousSecretsKey: 'p'.repeat(32),
  ownSecretsKey: false,
  madeSecrets: [],
  databaseUrl: 'postgres://localhost/tidemark',
  databaseTimeout: 30,
  databasePool: 40,
  databaseListenUrl: 'postgres://localhost:5433/tidemark',
  redisUrl: 'rediss://localhost',
  s3: {
    endpoint: 'http://localhost:9000',
    region: 'eu-central-1',
    bucket: 'tidemark.pictures',
    accessKeyId: 'key-of-the-bucket',
    secretAccessKey: 'secret-of-the-bucket',
  },
  metricsPort: 9464,
  metricsHost: '0.0.0.0',
  metricsToken: 'm'.repeat(32),
  drainSeconds: 20,
  smtpUrl: 'smtps://mail.example',
  telegram: { token: '123456:token-of-the-bot', baseUrl: 'http://localhost:8081' },
  mailFrom: 'hello@tidemark.example',
  push: {
    subject: 'mailto:admin@tidemark.com',
    keys: { publicKey: EVERY_SETTING.VAPID_PUBLIC_KEY, privateKey: EVERY_SETTING.VAPID_PRIVATE_KEY },
  },
  privateTargets: ['http://10.0.0.5:8080', 'https://push.lan'],
  market: 'exchanges',
  exchangesBaseUrls: { kraken: 'http://localhost:9997', okx: 'https://proxy.example/okx' },
  cmcApiKey: 'key-of-the-provider',
  cmcBaseUrl: 'http://localhost:9999',
  cmcDailyCredits: 333,
  ai: {
    baseUrl: 'http://localhost:1234/v1',
    key: 'key-of-the-model',
    model: 'some-model',
    context: 4096,
    prices: { input: 2.5, output: 10 },
    dailyBudget: 0.25,
  },
  revenueCat: { key: 'key-of-revenuecat', baseUrl: 'http://localhost:9998' },
  webhookSecret: 'secret of the webhook',
  testStore: false,
  exchange: { kind: 'bybit', testnet: true, baseUrl: 'https://api-demo.bybit.com', region: 'eu' },
  referral: {
    signUpUrl: 'https://exchange.example/sign-up',
    urls: ['https://one.example', 'https://two.example/x'],
    code: 'TIDEMARK',
    affiliate: { key: 'affiliate-key', secret: 'affiliate-secret', passphrase: 'affiliate-passphrase' },
  },
  egressAddresses: ['192.0.2.1', '2001:db8::1'],
  strategyInterval: 3_600_000,
  role: 'bots',
  paperFeed: 'live',
  paperSpeed: 3600,
  picturesAtOnce: 1,
  userQuota: 100_000_000,
  maxSockets: { perUser: 4, perNetwork: 400 },
  marketSeed: 7,
  marketTickMs: 1000,
};

test('every setting is read', () => {
  const config = readConfig({ DATA_DIR, ...EVERY_SETTING });
  expect(config).toEqual({ dataDir: DATA_DIR, ...EVERY_SETTING_READ });
  expect(fs.readdirSync(DATA_DIR)).toEqual([]);
});

test('a process drains by default only beside others', () => {
  expect(readConfig({ DATA_DIR, DATABASE_URL: 'postgres://localhost/tidemark' }).drainSeconds).toBe(5);
  expect(readConfig({ DATA_DIR, DATABASE_URL: 'postgres://localhost/tidemark', DRAIN_SECONDS: '0' }).drainSeconds).toBe(0);
});

test('the public address follows the port, and an empty setting counts as not set', () => {
  expect(readConfig({ DATA_DIR, PORT: '9000', PUBLIC_URL: '', LOG_LEVEL: ' ' })).toMatchObject({
    publicUrl: 'http://localhost:9000',
    logLevel: 'info',
  });
});

describe('a live exchange', () => {
  test('needs a way to check referrals', () => {
    expect(() => readConfig({ DATA_DIR, EXCHANGE: 'bybit' })).toThrow(
      'REFERRAL_CODE: is needed for EXCHANGE=bybit, or AFFILIATE_API_KEY and AFFILIATE_API_SECRET.',
    );
    expect(fs.existsSync(DATA_DIR)).toBe(false);
    expect(readConfig({ DATA_DIR, EXCHANGE: 'bybit', REFERRAL_CODE: '77' }).exchange.kind).toBe('bybit');
  });

  test('whose keys have a passphrase needs the affiliate key with one', () => {
    const env = {
      DATA_DIR,
      EXCHANGE: 'okx',
      REFERRAL_CODE: '77',
      AFFILIATE_API_KEY: 'affiliate-key',
      AFFILIATE_API_SECRET: 'affiliate-secret',
    };
    expect(() => readConfig(env)).toThrow('AFFILIATE_API_KEY: is needed for EXCHANGE=okx, with its secret and AFFILIATE_API_PASSPHRASE.');
    expect(readConfig({ ...env, AFFILIATE_API_PASSPHRASE: 'affiliate-words' }).referral.affiliate).toEqual({
      key: 'affiliate-key',
      secret: 'affiliate-secret',
      passphrase: 'affiliate-words',
    });
  });

  test.each([
    ['AFFILIATE_API_KEY', 'AFFILIATE_API_SECRET'],
    ['AFFILIATE_API_SECRET', 'AFFILIATE_API_KEY'],
  ])('rejects %s without %s', (given, missing) => {
    expect(() => readConfig({ DATA_DIR, [given]: 'some-value' })).toThrow(`${missing}: is needed beside ${given}.`);
  });
});

describe('secrets', () => {
  test('are generated once, differ, and are readable by their owner only', () => {
    const first = readConfig({ DATA_DIR });
    const second = readConfig({ DATA_DIR });
    expect([second.jwtSecret, second.secretsKey]).toEqual([first.jwtSecret, first.secretsKey]);
    expect(first.jwtSecret).not.toBe(first.secretsKey);
    expect(fs.readdirSync(DATA_DIR).sort()).toEqual(['jwt-secret', 'secrets-key']);
    for (const name of fs.readdirSync(DATA_DIR)) expect(fs.statSync(path.join(DATA_DIR, name)).mode & 0o777).toBe(0o600);
    expect(fs.statSync(DATA_DIR).mode & 0o777).toBe(0o700);
  });
});

const NO_ADDRESS = 'must be an address without a path, starting with http:// or https://, such as https://app.example.com';
const NO_MORE = 'must have no user, no password, no ? and no #';

test('the address of users is compared and shown in its normal form', () => {
  expect(readConfig({ DATA_DIR, PUBLIC_URL: 'HTTPS://App.Example.com:443/' }).publicUrl).toBe('https://app.example.com');
});

test.each([
  ['require', 'sslmode=verify-full'],
  ['prefer&application_name=x', 'sslmode=verify-full&application_name=x'],
  ['require&uselibpqcompat=true', 'sslmode=require&uselibpqcompat=true'],
  ['disable', 'sslmode=disable'],
])('PostgreSQL with sslmode=%s is asked with %s', (given, asked) => {
  expect(readConfig({ DATA_DIR, DATABASE_URL: `postgres://localhost/t?sslmode=${given}` }).databaseUrl).toBe(
    `postgres://localhost/t?${asked}`,
  );
});

test.each(['redis://localhost', 'rediss://:secret%25@[::1]:6380/3', 'redis://localhost/'])('REDIS_URL=%s is accepted', (REDIS_URL) => {
  expect(readConfig({ DATA_DIR, DATABASE_URL: 'postgres:///t?host=/run/postgresql', REDIS_URL }).redisUrl).toBe(REDIS_URL);
});

describe('an invalid setting is reported by name', () => {
  test.each([
    ['PORT', 'abc', 'must be a whole number from 1 to 65535'],
    ['PORT', '0', 'must be a whole number from 1 to 65535'],
    ['PORT', '65536', 'must be a whole number from 1 to 65535'],
    ['PORT', '80.5', 'must be a whole number from 1 to 65535'],
    ['PUBLIC_URL', 'tidemark.example', NO_ADDRESS],
    ['PUBLIC_URL', 'ftp://tidemark.example', NO_ADDRESS],
    ['ALLOWED_ORIGINS', 'https://a.example/path', 'must be a comma-separated list of origins such as https://app.example.com'],
    ['ALLOWED_ORIGINS', '*', 'must be a comma-separated list of origins such as https://app.example.com'],
    ['TRUST_PROXY', 'yes', 'must be off, on, or a comma-separated list of addresses and networks'],
    ['TRUST_PROXY', '10.0.0.0/33', 'must be off, on, or a comma-separated list of addresses and networks'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['JWT_SECRET', 'short', 'must have at least 32 characters'],
    ['SECRETS_KEY', 'short', 'must have at least 32 characters'],
    ['DATABASE_URL', 'mysql://localhost', 'must be a URL starting with postgres:// or postgresql://'],
    ['MAIL_FROM', 'a'.repeat(5000), 'must have at most 4096 characters'],
    ['SMTP_URL', 'mail.example', 'must be a URL starting with smtp:// or smtps://'],
    ['SMTP_URL', 'smtp:///', 'must be a URL starting with smtp:// or smtps://'],
    ['SMTP_URL', 'smtp://user:50%zz@mail.example', 'has a % that is not followed by two hexadecimal digits'],
    ['REDIS_URL', 'redis:localhost', 'must be a URL starting with redis:// or rediss://'],
    ['REDIS_URL', 'redis://:50%zz@localhost', 'has a % that is not followed by two hexadecimal digits'],
    ['REDIS_URL', 'redis://localhost/cache', 'must have no path but the number of a database, such as redis://localhost:6379/0'],
    ['DATABASE_URL', 'postgres:localhost', 'must be a URL starting with postgres:// or postgresql://'],
    [
      'DATABASE_URL',
      'postgres://localhost/t?sslmode=on',
      'has an sslmode other than disable, no-verify, prefer, require, verify-ca, verify-full',
    ],
    [
      'DATABASE_URL',
      'postgres://localhost/t?sslrootcert=/absent/ca.pem',
      'the file of its sslrootcert cannot be read (ENOENT /absent/ca.pem)',
    ],
    ['DATABASE_LISTEN_URL', 'postgres://localhost/t?sslkey=/', 'the file of its sslkey cannot be read (EISDIR /)'],
    ['S3_ENDPOINT', 'http://localhost:9000/?x=1', NO_MORE],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://localhost:4318/#x', NO_MORE],
    ['AI_BASE_URL', 'https://user:password@api.example/v1', NO_MORE],
    ['CMC_BASE_URL', 'http:coinmarketcap.com', 'must be a URL starting with http:// or https://'],
    ['MAIL_FROM', 'no-address', 'must be an address, such as Tidemark <no-reply@example.com>'],
    ['MAIL_FROM', 'a@b.c\r\nBcc: d@e.f', 'must be an address, such as Tidemark <no-reply@example.com>'],
    ['MARKET', 'live', 'must be one of auto, coinmarketcap, exchanges, demo'],
    ['CMC_API_KEY', 'two words', 'must be an API key: 8 to 200 letters, digits and signs'],
    ['CMC_BASE_URL', 'coinmarketcap.com', 'must be a URL starting with http:// or https://'],
    ['EXCHANGE_BASE_URL', 'api-demo.bybit.com', 'must be a URL starting with http:// or https://'],
    ['REFERRAL_CODE', 'two words', 'must be a code: up to 40 letters and digits'],
    ['AFFILIATE_API_KEY', 'short', 'must be an API key: 8 to 200 letters, digits and signs'],
    ['EGRESS_ADDRESSES', 'trader.example', 'must be a comma-separated list of addresses such as 192.0.2.1'],
    ['MARKET_TICK_MS', '5', 'must be a whole number from 100 to 3600000'],
  ])('%s=%j', (name, value, complaint) => {
    const read = () => readConfig({ DATA_DIR, [name]: value });
    expect(read).toThrow(StartupError);
    expect(read).toThrow(`${name}: ${complaint}.`);
    expect(fs.existsSync(DATA_DIR)).toBe(false);
  });

  test.each(['bitstamp=https://a.example', 'kraken', 'kraken=a.example', 'kraken=https://a.example,okx=ftp://b.example'])(
    'EXCHANGES_BASE_URLS=%s',
    (value) => {
      expect(() => readConfig({ DATA_DIR, EXCHANGES_BASE_URLS: value })).toThrow(
        'EXCHANGES_BASE_URLS: must be a comma-separated list such as binance=https://proxy.example.com, with the names binance, coinbase, kraken, okx.',
      );
    },
  );

  test.each([
    ['a folder below a file', () => path.join(parent, 'file', 'data')],
    ['a file', () => path.join(parent, 'file')],
    ['a place that holds no folders', () => '/proc/tidemark/data'],
  ])('DATA_DIR set to %s', (_name, place) => {
    fs.writeFileSync(path.join(parent, 'file'), '');
    expect(() => readConfig({ DATA_DIR: place() })).toThrow(`DATA_DIR: cannot write to ${place()} (`);
  });
});

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['localhost.example.com', false],
  ['127.0.0.1.example.com', false],
  ['192.168.0.1', false],
  ['0.0.0.0', false],
  ['LOCALHOST', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['[::ffff:127.0.0.1]', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['::ffff:192.0.2.1', false],
  ['::', false],
  ['[::]', false],
  ['::1%lo', true],
  ['fe80::1%eth0', false],
  ['127.0.0.1.', false],
  ['127.1.1.300', false],
  ['[::1', false],
  ['', false],
])('isLoopback(%j) is %s', (hostname, expected) => {
  expect(isLoopback(hostname)).toBe(expected);
});

test.each([
  ['0.0.0.0', undefined],
  ['::', undefined],
  ['192.168.0.7', 'http://localhost:8080'],
  ['[::]', 'http://[::1]:8080'],
  ['::ffff:0.0.0.0', 'http://127.0.0.1'],
  ['server.example.com', 'https://app.localhost'],
])('HOST=%s with PUBLIC_URL %s is rejected, because others could open the mailbox', (HOST, PUBLIC_URL) => {
  expect(() => readConfig({ DATA_DIR, HOST, PUBLIC_URL })).toThrow(
    `HOST: ${HOST} serves other machines, so set PUBLIC_URL to the address they use, such as https://app.example.com.`,
  );
});

test.each([
  ['127.0.0.1', undefined],
  ['localhost', 'http://localhost:8080'],
  ['::1', undefined],
  ['::ffff:127.0.0.1', undefined],
  ['127.0.0.1', 'https://tidemark.example'],
  ['0.0.0.0', 'https://tidemark.example'],
  ['::', 'http://192.168.0.7:8080'],
])('HOST=%s with PUBLIC_URL %s is accepted', (HOST, PUBLIC_URL) => {
  expect(readConfig({ DATA_DIR, HOST, PUBLIC_URL }).host).toBe(HOST);
});

test('a language model needs an address and a name, and no key', () => {
  expect(readConfig({ DATA_DIR, AI_BASE_URL: 'http://localhost:1', AI_MODEL: 'm' }).ai).toEqual({
    baseUrl: 'http://localhost:1',
    key: undefined,
    model: 'm',
    context: undefined,
    prices: undefined,
    dailyBudget: undefined,
  });
  expect(() => readConfig({ DATA_DIR, AI_MODEL: 'm' })).toThrow('AI_BASE_URL: is needed beside AI_API_KEY and AI_MODEL.');
  expect(() => readConfig({ DATA_DIR, AI_BASE_URL: 'http://localhost:1' })).toThrow('AI_MODEL: is needed beside AI_BASE_URL.');
});

test('a budget for the model needs both prices, in dollars', () => {
  const read = (env: Record<string, string>) => readConfig({ DATA_DIR, AI_BASE_URL: 'http://localhost:1', AI_MODEL: 'm', ...env }).ai;
  expect(() => read({ AI_DAILY_BUDGET: '1' })).toThrow('AI_DAILY_BUDGET: needs AI_INPUT_PRICE and AI_OUTPUT_PRICE.');
  expect(() => read({ AI_INPUT_PRICE: '1' })).toThrow('AI_INPUT_PRICE and AI_OUTPUT_PRICE: set both or neither.');
  expect(() => read({ AI_INPUT_PRICE: '-1', AI_OUTPUT_PRICE: '1' })).toThrow('AI_INPUT_PRICE: must be an amount of dollars');
  expect(() => read({ AI_INPUT_PRICE: '1', AI_OUTPUT_PRICE: '1', AI_DAILY_BUDGET: '501' })).toThrow('AI_DAILY_BUDGET: must be an amount');
  expect(read({ AI_INPUT_PRICE: '0', AI_OUTPUT_PRICE: '0.6' })?.prices).toEqual({ input: 0, output: 0.6 });
});

test('a bucket needs its keys and PostgreSQL', () => {
  const bucket = {
    DATA_DIR,
    DATABASE_URL: 'postgres://localhost/t',
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  expect(readConfig({ DATA_DIR }).s3).toBeUndefined();
  expect(readConfig(bucket).s3).toEqual({
    bucket: 'pictures',
    endpoint: undefined,
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  });
  for (const name of ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
    expect(() => readConfig({ ...bucket, [name]: '' })).toThrow(`${name}: is needed beside the other S3 settings.`);
  expect(() => readConfig({ ...bucket, DATABASE_URL: '' })).toThrow('S3_BUCKET: needs DATABASE_URL');
  for (const name of ['Pictures', 'a', '-a-', 'a/b', 'a'.repeat(64), '../x']) {
    expect(() => readConfig({ ...bucket, S3_BUCKET: name })).toThrow('S3_BUCKET: must be a bucket');
  }
  expect(() => readConfig({ ...bucket, S3_REGION: 'eu central' })).toThrow('S3_REGION: must be a region such as us-east-1.');
});

test.each(['on', 'off'])('WEBHOOK_PRIVATE_NETWORKS=%s of earlier versions is refused with what to do instead', (value) => {
  expect(() => readConfig({ DATA_DIR, WEBHOOK_PRIVATE_NETWORKS: value })).toThrow('WEBHOOK_PRIVATE_NETWORKS: no longer exists');
  expect(fs.existsSync(DATA_DIR)).toBe(false);
});

test('the test store is open on this machine only, and can be switched off', () => {
  const PUBLIC_URL = 'https://tidemark.example';
  expect(readConfig({ DATA_DIR }).testStore).toBe(true);
  expect(readConfig({ DATA_DIR, TEST_STORE: 'off' }).testStore).toBe(false);
  expect(readConfig({ DATA_DIR, PUBLIC_URL }).testStore).toBe(false);
  expect(readConfig({ DATA_DIR, REVENUECAT_API_KEY: 'key-of-revenuecat' }).testStore).toBe(false);
  expect(() => readConfig({ DATA_DIR, REVENUECAT_API_KEY: 'key-of-revenuecat', TEST_STORE: 'on' })).toThrow('TEST_STORE: can be on only');
  expect(() => readConfig({ DATA_DIR, PUBLIC_URL, TEST_STORE: 'on' })).toThrow('TEST_STORE: can be on only while PUBLIC_URL is');
});

test.each([
  ['https://app.tidemark.com', 'a@b.com', 'https://app.tidemark.com'],
  ['http://localhost:8080', 'Tidemark <hello@tidemark.com>', 'mailto:hello@tidemark.com'],
  ['https://tidemark.local', 'Tidemark <no-reply@localhost>', 'https://www.example.com'],
  ['https://10.0.0.1', 'no-reply@tidemark.lan', 'https://www.example.com'],
])('the contact for push services at PUBLIC_URL=%s and MAIL_FROM=%s is %s: never a local name', (PUBLIC_URL, MAIL_FROM, subject) => {
  expect(readConfig({ DATA_DIR, PUBLIC_URL, MAIL_FROM }).push.subject).toBe(subject);
});

test.each([
  [{ VAPID_SUBJECT: 'mailto:admin@localhost' }, 'VAPID_SUBJECT: must be a public'],
  [{ VAPID_SUBJECT: 'https://localhost' }, 'VAPID_SUBJECT: must be a public'],
  [{ VAPID_SUBJECT: 'mailto:admin@tidemark.local' }, 'VAPID_SUBJECT: must be a public'],
  [{ VAPID_SUBJECT: 'https://127.0.0.1' }, 'VAPID_SUBJECT: must be a public'],
  [{ VAPID_SUBJECT: 'admin@tidemark.com' }, 'VAPID_SUBJECT: must be a public'],
  [{ VAPID_PUBLIC_KEY: EVERY_SETTING.VAPID_PUBLIC_KEY }, 'set both or neither'],
  [{ VAPID_PRIVATE_KEY: EVERY_SETTING.VAPID_PRIVATE_KEY }, 'set both or neither'],
  [{ VAPID_PUBLIC_KEY: EVERY_SETTING.VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: 'A'.repeat(43) }, 'is not the private key'],
  [{ VAPID_PUBLIC_KEY: 'short', VAPID_PRIVATE_KEY: 'A'.repeat(43) }, 'VAPID_PUBLIC_KEY: must be a VAPID key'],
])('%j is refused', (env, complaint) => {
  expect(() => readConfig({ DATA_DIR, ...env })).toThrow(complaint);
});
