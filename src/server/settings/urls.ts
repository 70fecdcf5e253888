import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

const startingWith = (protocols: readonly string[]): string =>
  `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;

/** Returns whether a text is a URL with a host and one of these protocols, such as `https:`. */
const isUrlWith = (value: string, protocols: readonly string[]): boolean =>
  protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`)) && URL.canParse(value) && new URL(value).hostname !== '';

/** Returns whether a text is an address of the web. */
export const isHttp = (value: string): boolean => isUrlWith(value, ['http:', 'https:']);

/** Returns whether the encoded parts of a URL can be decoded, as its readers do when they connect. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + pathname);
    return true;
  } catch {
    return false;
  }
}

/** Parses a link for users. */
export const link = z.string().check(z.refine(isHttp, { error: startingWith(['http:', 'https:']), abort: true }));

/** Returns whether paths can be appended to an address, and `fetch` takes it: it refuses a user and a password. */
export function isBaseUrl(value: string): boolean {
  if (!isHttp(value)) return false;
  const { username, password, search, hash } = new URL(value);
  return `${username}${password}${search}${hash}` === '';
}

/** Parses the base address of an API. */
export const baseUrl = link.check(z.refine(isBaseUrl, 'must have no user, no password, no ? and no #'));

/** Parses the address of a site, with nothing behind its host: the app's files, links and passkeys are below `/`. */
export const site = z
  .string()
  .check(
    z.refine(
      (value) => isBaseUrl(value) && /^\/+$/.test(new URL(value).pathname),
      'must be an address without a path, starting with http:// or https://, such as https://app.example.com',
    ),
  );

/** Parses the address of a server with a user and a password, if needed. */
const serverUrl = (...protocols: string[]) =>
  z.string().check(
    z.refine((value) => isUrlWith(value, protocols), { error: startingWith(protocols), abort: true }),
    z.refine((value) => isDecodable(new URL(value)), { error: 'has a % that is not followed by two hexadecimal digits', abort: true }),
  );

export const smtpUrl = serverUrl('smtp:', 'smtps:');

/** Parses the address of Redis, with the number of a database as its path, if needed. */
export const redisUrl = serverUrl('redis:', 'rediss:').check(
  z.refine(
    (value) => /^(\/\d{0,6})?$/.test(new URL(value).pathname),
    'must have no path but the number of a database, such as redis://localhost:6379/0',
  ),
);

const POSTGRES = ['postgres:', 'postgresql:'];
const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
/** Modes that pg takes for `verify-full`, with a warning that they will check less in a later version. */
const SSL_MODES_CHECKED = /([?&]sslmode=)(prefer|require|verify-ca)(?=&|#|$)/;

/** Returns what is wrong with the TLS settings in an address of PostgreSQL; undefined if nothing is. */
function findTlsFault({ searchParams }: URL): string | undefined {
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) return `has an sslmode other than ${SSL_MODES.join(', ')}`;
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = searchParams.get(name);
    try {
      if (file) readFileSync(file);
    } catch (error) {
      return `the file of its ${name} cannot be read (${(error as NodeJS.ErrnoException).code} ${file})`;
    }
  }
  return undefined;
}

/** Parses the address of PostgreSQL, which may name a socket instead of a host. TLS always checks the certificate, without a warning of pg. */
export const postgresUrl = z.pipe(
  z.string().check((context) => {
    const { value } = context;
    const isUrl = POSTGRES.some((protocol) => value.startsWith(`${protocol}//`)) && URL.canParse(value);
    const message = isUrl ? findTlsFault(new URL(value)) : startingWith(POSTGRES);
    if (message) context.issues.push({ code: 'custom', message, input: value });
  }),
  z.transform((value) => (value.includes('uselibpqcompat=') ? value : value.replace(SSL_MODES_CHECKED, '$1verify-full'))),
);
