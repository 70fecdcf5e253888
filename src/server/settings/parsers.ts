import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { isBaseUrl, isHttp } from './urls.ts';

const MIN_SECRET_LENGTH = 32;

/** Splits a comma-separated list. */
const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

export const text = z.string();

export const onOrOff = z.enum(['on', 'off'], 'must be on or off');

/** Parses one of the given words. */
export const oneOf = <const T extends readonly string[]>(words: T) => z.enum(words, `must be one of ${words.join(', ')}`);

/** Parses a whole number within inclusive limits. */
export function wholeNumber(min: number, max: number) {
  const complaint = `must be a whole number from ${min} to ${max}`;
  return z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,15}$/, complaint)), z.transform(Number)),
    z.number().check(z.minimum(min, complaint), z.maximum(max, complaint)),
  );
}

/** Parses a comma-separated list whose parts all pass `isValid`. */
const listOf = (isValid: (parts: string[]) => boolean, complaint: string) =>
  z.pipe(z.string().check(z.refine((value) => isValid(splitList(value)), complaint)), z.transform(splitList));

export const origins = listOf(
  (parts) => parts.every((part) => URL.canParse(part) && new URL(part).origin === part),
  'must be a comma-separated list of origins such as https://app.example.com',
);

export const ipAddresses = listOf(
  (parts) => parts.every((part) => isIP(part) !== 0),
  'must be a comma-separated list of addresses such as 192.0.2.1',
);

export const twoUrls = listOf((parts) => parts.length === 2 && parts.every(isHttp), 'must be two addresses, separated by a comma');

/** Parses addresses by name, such as `kraken=https://proxy.example.com`. The names are keys of the result. */
export function namedUrls<const Name extends string>(names: readonly Name[]) {
  const pairsOf = (value: string) =>
    splitList(value).map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)] as const);
  const isPair = ([name = '', url = '']: readonly [string, string]) => (names as readonly string[]).includes(name) && isBaseUrl(url);
  const complaint = `must be a comma-separated list such as ${names[0]}=https://proxy.example.com, with the names ${names.join(', ')}`;
  return z.pipe(
    z.string().check(z.refine((value) => pairsOf(value).every(isPair), complaint)),
    z.transform(
      (value) => Object.fromEntries(pairsOf(value).map(([name, url]) => [name, url.replace(/\/+$/, '')])) as Partial<Record<Name, string>>,
    ),
  );
}

export const apiKey = z.string().check(z.regex(/^[\x21-\x7e]{8,200}$/, 'must be an API key: 8 to 200 letters, digits and signs'));

export const secret = z
  .string()
  .check(z.refine((value) => value.length >= MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`));

export const webhookSecret = z.string().check(z.regex(/^[\x20-\x7e]{8,200}$/, 'must have 8 to 200 letters, digits and signs'));

export const bucket = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket: 3 to 63 lowercase letters, digits, dots and hyphens'));

export const region = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/, 'must be a region such as us-east-1'));

const HEADER = /^([\w!#$%&'*.^`|~+-]+)=(.*)$/;

/** Parses headers in the form of OpenTelemetry: `name=value`, comma-separated, with encoded values. */
export const otlpHeaders = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (value) => splitList(value).every((part) => HEADER.test(part) && isDecodable(part)),
        'must be headers such as name=value, comma-separated',
      ),
    ),
  z.transform(
    (value): Record<string, string> =>
      Object.fromEntries(
        splitList(value).map((part) => [part.slice(0, part.indexOf('=')), decodeURIComponent(part.slice(part.indexOf('=') + 1))]),
      ),
  ),
);

/** Returns whether a header's encoded value is text that HTTP can carry. */
function isDecodable(part: string): boolean {
  try {
    return /^[\x20-\x7e]*$/.test(decodeURIComponent(part.slice(part.indexOf('=') + 1)));
  } catch {
    return false;
  }
}

/** Parses an amount of dollars of at most `max`, such as `0.15`. */
export function dollars(max: number) {
  const complaint = `must be an amount of dollars up to ${max}, such as 0.15`;
  return z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,6}(\.\d{1,6})?$/, complaint)), z.transform(Number)),
    z.number().check(z.maximum(max, complaint)),
  );
}

const SHARE = 'must be a number from 0 to 1';

/** Parses a share, from 0 to 1. */
export const share = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d(\.\d{1,9})?$/, SHARE)), z.transform(Number)),
  z.number().check(z.minimum(0, SHARE), z.maximum(1, SHARE)),
);

export const referralCode = z.string().check(z.regex(/^[\w-]{1,40}$/, 'must be a code: up to 40 letters and digits'));

export const mailSender = z
  .string()
  .check(z.regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'must be an address, such as Tidemark <no-reply@example.com>'));

/** Names that no public host has (RFC 2606, 6761, 6762, 8375). */
const LOCAL_NAMES = /(^|\.)(localhost|local|test|invalid|example|internal|arpa|lan|home)$/;

/** Returns whether a host is a name on the public internet, as far as its text tells. */
export const isPublicName = (host: string): boolean =>
  host.length <= 253 && host.includes('.') && isIP(host.replace(/^\[(.*)\]$/, '$1')) === 0 && !LOCAL_NAMES.test(host.toLowerCase());

/** Returns the host that an `https:` or `mailto:` address names, or an empty text. */
function contactHost(address: string): string {
  if (!URL.canParse(address)) return '';
  const { protocol, hostname, pathname } = new URL(address);
  if (protocol === 'https:') return hostname;
  return protocol === 'mailto:' ? pathname.slice(pathname.lastIndexOf('@') + 1) : '';
}

export const vapidSubject = z
  .string()
  .check(
    z.refine(
      (value) => isPublicName(contactHost(value)),
      'must be a public https: or mailto: address, such as mailto:admin@your-domain.com: push services refuse others',
    ),
  );

/** Characters of a P-256 key in base64url. */
const vapidKey = (length: number) =>
  z.string().check(z.regex(new RegExp(`^[\\w-]{${length}}$`), `must be a VAPID key: ${length} characters of base64url`));
export const vapidPublicKey = vapidKey(87);
export const vapidPrivateKey = vapidKey(43);

/** Names of proxy-addr for the proxies that `on` trusts: on this machine and in its private networks. */
const PRIVATE_PROXIES = ['loopback', 'linklocal', 'uniquelocal'];

/** Parses whose X-Forwarded-For counts: `off`, `on`, or a list of addresses and networks. */
export const trustedProxies = z.pipe(
  z.string().check(z.refine(isProxyTrust, 'must be off, on, or a comma-separated list of addresses and networks')),
  z.transform((value): false | string[] => {
    if (value === 'off') return false;
    return value === 'on' ? PRIVATE_PROXIES : splitList(value);
  }),
);

function isProxyTrust(value: string): boolean {
  if (value === 'off' || value === 'on') return true;
  return splitList(value).every((part) => {
    const [address = '', bits, ...rest] = part.split('/');
    const width = isIP(address) === 6 ? 128 : 32;
    return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= width));
  });
}
