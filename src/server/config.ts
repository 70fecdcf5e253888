import { BlockList, isIP } from 'node:net';
import path from 'node:path';
import * as z from 'zod/mini';
import { EXCHANGES } from '#contract/bots/exchange-names.ts';
import { INTERVAL_MS } from '#domain/bots/intervals.ts';
import { demandComplete } from './incomplete.ts';
import type { S3Access } from './ports/blobs/s3-blobs.ts';
import { publicKeyOf, type VapidKeys } from './ports/push/vapid.ts';
import { prepareDataDir, previousSecret, replaceStoredSecret, SHARED_SECRETS, type SharedSecret, storedSecret } from './secrets.ts';
import { isPublicName } from './settings/parsers.ts';
import { SETTINGS, type Setting, type SettingFields, type SettingValues } from './settings/settings.ts';
import { StartupError } from './startup-error.ts';
import type { TracingSettings } from './tracing/tracing-settings.ts';

/** Characters of one setting. Bounds what the patterns of settings/parsers.ts read. */
const MAX_SETTING = 4096;

/** Default beside other processes: a proxy that asks every two seconds notices within it. */
const DRAIN_SECONDS = 5;

/** Settings of earlier versions, with what to do instead. Ignored, they would seem to work. */
const REPLACED: Record<string, string> = {
  WEBHOOK_PRIVATE_NETWORKS:
    'no longer exists. Remove it, and name the origins that webhooks may reach in PRIVATE_TARGETS, such as http://192.168.0.5:8080',
};

const schema = z.object(
  Object.fromEntries(
    Object.entries<Setting>(SETTINGS).map(([name, { parse, default: value }]) => [
      name,
      value === undefined ? z.optional(parse) : z._default(parse, value),
    ]),
  ),
);

/** The language model. */
interface AiSettings {
  baseUrl: string;
  key: string | undefined;
  model: string;
  /** Tokens of its context; undefined for what the endpoint takes. */
  context: number | undefined;
  /** USD for a million tokens; undefined where nothing is known. */
  prices: { input: number; output: number } | undefined;
  /** USD for a user and a UTC day; undefined for no limit. */
  dailyBudget: number | undefined;
}

/** The server's settings: fields of the table in settings/settings.ts, and those derived from several of them. */
export interface Config extends SettingFields {
  /** Absolute path. */
  dataDir: string;
  /** Without a trailing slash. */
  publicUrl: string;
  /** Origins of other hosts that the client build calls. The content security policy must name them. */
  clientHosts: readonly string[];
  /** Origin of the indicator page that the client build frames instead of its own. */
  frameHosts: readonly string[];
  jwtSecret: string;
  secretsKey: string;
  /** Set during a key rotation, while exchange keys may still be encrypted under it. */
  previousSecretsKey: string | undefined;
  /** The key was made in `dataDir` for this process alone, so `rotate-key` may replace it there. */
  ownSecretsKey: boolean;
  /** The secrets that no setting gives, so that they were made in `dataDir`. */
  madeSecrets: readonly SharedSecret[];
  /** The language model; undefined where the built-in analyst answers. */
  ai: AiSettings | undefined;
  /** The bucket for users' files; undefined where they are in `dataDir`. */
  s3: S3Access | undefined;
  /** Where traces go; undefined where nothing is traced. */
  tracing: TracingSettings | undefined;
  /** The bot that sends notifications; undefined without one. */
  telegram: { token: string; baseUrl: string } | undefined;
  /** Undefined without a key. */
  revenueCat: { key: string; baseUrl: string } | undefined;
  push: {
    /** Contact of the operator, which push services demand. */
    subject: string;
    /** Undefined where the pair is made in the database. */
    keys: VapidKeys | undefined;
  };
  /** Whether the test store sells plans. */
  testStore: boolean;
  exchange: { kind: SettingValues['EXCHANGE']; testnet: boolean; baseUrl: string | undefined; region: SettingValues['EXCHANGE_REGION'] };
  referral: {
    signUpUrl: string;
    /** The two links of the guidelines. */
    urls: readonly string[];
    code: string | undefined;
    affiliate: { key: string; secret: string; passphrase?: string } | undefined;
  };
  /** Length of the candles that bots trade on, ms; undefined for the installation's default. */
  strategyInterval: number | undefined;
  /** How long a process takes requests after SIGTERM, s. */
  drainSeconds: number;
  maxSockets: { perUser: number; perNetwork: number };
  /** Bytes. */
  userQuota: number;
}

/** Reads the settings, and makes the data directory and its secrets. Throws `StartupError` with the first complaint. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const values = readSettings(env);
  const dataDir = path.resolve(values.DATA_DIR);
  const publicUrl = new URL(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).origin;
  demandPublicUrl(values.HOST, publicUrl);
  const testStore = readTestStore(values, publicUrl);
  const affiliate = readAffiliate(values);
  demandComplete(dataDir);
  prepareDataDir(dataDir);
  return {
    ...fieldsOf(values),
    dataDir,
    publicUrl,
    clientHosts: originsOf(values.VITE_API_URL, values.VITE_SOCKET_URL, values.VITE_BOT_API_URL),
    frameHosts: originsOf(values.VITE_INDICATOR_URL),
    jwtSecret: values.JWT_SECRET ?? storedSecret(dataDir, 'jwt-secret'),
    ...readSecretsKeys(values, dataDir),
    madeSecrets: SHARED_SECRETS.filter((name) => values[name] === undefined),
    ai: readAi(values),
    s3: readS3(values),
    tracing: readTracing(values),
    revenueCat:
      values.REVENUECAT_API_KEY === undefined ? undefined : { key: values.REVENUECAT_API_KEY, baseUrl: values.REVENUECAT_BASE_URL },
    telegram:
      values.TELEGRAM_BOT_TOKEN === undefined
        ? undefined
        : { token: values.TELEGRAM_BOT_TOKEN, baseUrl: values.TELEGRAM_BASE_URL.replace(/\/+$/, '') },
    push: { subject: values.VAPID_SUBJECT ?? publicContact(publicUrl, values.MAIL_FROM), keys: readVapidKeys(values) },
    testStore,
    exchange: {
      kind: values.EXCHANGE,
      testnet: values.EXCHANGE_TESTNET === 'on',
      baseUrl: values.EXCHANGE_BASE_URL?.replace(/\/+$/, ''),
      region: values.EXCHANGE_REGION,
    },
    referral: { signUpUrl: values.EXCHANGE_SIGNUP_URL, urls: values.REFERRAL_URLS, code: values.REFERRAL_CODE, affiliate },
    strategyInterval: values.STRATEGY_INTERVAL && INTERVAL_MS[values.STRATEGY_INTERVAL],
    drainSeconds: values.DRAIN_SECONDS ?? (values.DATABASE_URL === undefined ? 0 : DRAIN_SECONDS),
    maxSockets: { perUser: values.MAX_SOCKETS_PER_USER, perNetwork: values.MAX_SOCKETS_PER_NETWORK },
    userQuota: values.USER_QUOTA_MB * 1_000_000,
  };
}

/** Parses every setting. An empty variable counts as not set, as shells and compose files mean it. */
function readSettings(env: Record<string, string | undefined>): SettingValues {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const replaced = Object.keys(REPLACED).find((name) => given[name] !== undefined);
  if (replaced) throw new StartupError(`${replaced}: ${REPLACED[replaced]}.`);
  const overlong = Object.keys(SETTINGS).find((name) => (given[name]?.length ?? 0) > MAX_SETTING);
  if (overlong) throw new StartupError(`${overlong}: must have at most ${MAX_SETTING} characters.`);
  const parsed = z.safeParse(schema, given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new StartupError(`${issue?.path.join('.')}: ${issue?.message}.`);
  }
  return parsed.data as SettingValues;
}

/** Picks the settings that are fields of `Config` as they are. */
const fieldsOf = (values: SettingValues): SettingFields =>
  Object.fromEntries(
    Object.entries<Setting>(SETTINGS).flatMap(([name, { field }]) => (field ? [[field, values[name as keyof SettingValues]]] : [])),
  ) as SettingFields;

/** Returns the origins of absolute URLs; paths are on the app's own origin. */
const originsOf = (...urls: (string | undefined)[]): string[] =>
  urls.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []));

/** File in the data directory that holds a generated SECRETS_KEY. */
const SECRETS_KEY_FILE = 'secrets-key';

function readSecretsKeys(
  { SECRETS_KEY, SECRETS_KEY_PREVIOUS, DATABASE_URL }: SettingValues,
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

/** Returns the keys that encrypt exchange keys, and how to replace them where they were generated. */
export const secretsKeysOf = ({ secretsKey, previousSecretsKey, ownSecretsKey, dataDir }: Config) => ({
  secretsKey,
  previousSecretsKey,
  generateSecretsKey: ownSecretsKey ? () => replaceStoredSecret(dataDir, SECRETS_KEY_FILE) : undefined,
});

/** Returns the language model; undefined when none of its settings is given. */
function readAi({ AI_BASE_URL, AI_API_KEY, AI_MODEL, ...values }: SettingValues): Config['ai'] {
  if (AI_BASE_URL === undefined && AI_API_KEY === undefined && AI_MODEL === undefined) return undefined;
  if (AI_BASE_URL === undefined) throw new StartupError('AI_BASE_URL: is needed beside AI_API_KEY and AI_MODEL.');
  if (AI_MODEL === undefined) throw new StartupError('AI_MODEL: is needed beside AI_BASE_URL.');
  const { AI_INPUT_PRICE: input, AI_OUTPUT_PRICE: output, AI_DAILY_BUDGET: dailyBudget, AI_CONTEXT_TOKENS: context } = values;
  if ((input === undefined) !== (output === undefined)) throw new StartupError('AI_INPUT_PRICE and AI_OUTPUT_PRICE: set both or neither.');
  const prices = input === undefined || output === undefined ? undefined : { input, output };
  if (dailyBudget !== undefined && !prices) throw new StartupError('AI_DAILY_BUDGET: needs AI_INPUT_PRICE and AI_OUTPUT_PRICE.');
  return { baseUrl: AI_BASE_URL.replace(/\/+$/, ''), key: AI_API_KEY, model: AI_MODEL, context, prices, dailyBudget };
}

/** Returns the bucket for users' files; undefined when none of its settings is given. */
function readS3(values: SettingValues): S3Access | undefined {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if ([bucket, endpoint, accessKeyId, secretAccessKey].every((value) => value === undefined)) return undefined;
  const needed = (name: string) => new StartupError(`${name}: is needed beside the other S3 settings.`);
  if (bucket === undefined) throw needed('S3_BUCKET');
  if (accessKeyId === undefined) throw needed('S3_ACCESS_KEY_ID');
  if (secretAccessKey === undefined) throw needed('S3_SECRET_ACCESS_KEY');
  if (values.DATABASE_URL === undefined)
    throw new StartupError('S3_BUCKET: needs DATABASE_URL, because a backup of the embedded database saves pictures from DATA_DIR.');
  return { bucket, endpoint, accessKeyId, secretAccessKey, region: values.S3_REGION };
}

/** Returns the collector of traces; undefined without its address. */
function readTracing(values: SettingValues): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_TRACES_SAMPLER_ARG: ratio } = values;
  return endpoint === undefined ? undefined : { endpoint, headers, ratio };
}

/** Returns the affiliate key. A live exchange needs it or a referral code to verify who registered through us. */
function readAffiliate({
  EXCHANGE,
  REFERRAL_CODE,
  AFFILIATE_API_KEY: key,
  AFFILIATE_API_SECRET: secret,
  AFFILIATE_API_PASSPHRASE: passphrase,
}: SettingValues): Config['referral']['affiliate'] {
  if (secret === undefined && key !== undefined) throw new StartupError('AFFILIATE_API_SECRET: is needed beside AFFILIATE_API_KEY.');
  if (key === undefined && secret !== undefined) throw new StartupError('AFFILIATE_API_KEY: is needed beside AFFILIATE_API_SECRET.');
  if (EXCHANGES[EXCHANGE].hasPassphrase && (key === undefined || passphrase === undefined))
    throw new StartupError(`AFFILIATE_API_KEY: is needed for EXCHANGE=${EXCHANGE}, with its secret and AFFILIATE_API_PASSPHRASE.`);
  if (!EXCHANGES[EXCHANGE].isSimulated && REFERRAL_CODE === undefined && key === undefined)
    throw new StartupError(`REFERRAL_CODE: is needed for EXCHANGE=${EXCHANGE}, or AFFILIATE_API_KEY and AFFILIATE_API_SECRET.`);
  return key === undefined || secret === undefined ? undefined : { key, secret, ...(passphrase !== undefined && { passphrase }) };
}

/** Returns the first public address of the installation. Push services refuse a contact on a local name. */
function publicContact(publicUrl: string, mailFrom: string): string {
  const { protocol, hostname, origin } = new URL(publicUrl);
  if (protocol === 'https:' && isPublicName(hostname)) return origin;
  const address = /[^\s<>]+@[^\s<>]+/.exec(mailFrom)?.[0] ?? '';
  return isPublicName(address.slice(address.lastIndexOf('@') + 1)) ? `mailto:${address}` : 'https://www.example.com';
}

function readVapidKeys({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }: SettingValues): VapidKeys | undefined {
  if (publicKey === undefined && privateKey === undefined) return undefined;
  if (publicKey === undefined || privateKey === undefined)
    throw new StartupError('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY: set both or neither.');
  if (publicKeyOf(privateKey) !== publicKey) throw new StartupError('VAPID_PRIVATE_KEY: is not the private key of VAPID_PUBLIC_KEY.');
  return { publicKey, privateKey };
}

/** The test store gives plans away: it opens only on a loopback PUBLIC_URL, without a real store. */
function readTestStore({ TEST_STORE, REVENUECAT_API_KEY }: SettingValues, publicUrl: string): boolean {
  const possible = isLoopback(new URL(publicUrl).hostname) && REVENUECAT_API_KEY === undefined;
  if (TEST_STORE === 'on' && !possible) {
    throw new StartupError('TEST_STORE: can be on only while PUBLIC_URL is an address of this machine and no REVENUECAT_API_KEY is set.');
  }
  return possible && TEST_STORE !== 'off';
}

/** Refuses a public HOST with a loopback PUBLIC_URL, which would open the mailbox and the test store to other machines. */
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
 * Returns whether a host is this machine.
 * @param host host of a URL or an IP address; IPv6 with or without brackets, IPv4-mapped too
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const version = isIP(name);
  if (version === 0) return name === 'localhost' || name.endsWith('.localhost');
  return loopback.check(name, version === 6 ? 'ipv6' : 'ipv4');
}
