import { isIPv4, isIPv6 } from 'node:net';

/** The two networks that rate limits count a caller by. */
export interface Networks {
  /** One customer: an IPv4 address, or an IPv6 /64, where one customer can use any address. */
  narrow: string;
  /** Its neighborhood: an IPv4 /24 or an IPv6 /48. Safe to show and to log, because it identifies no single address. */
  wide: string;
}

/** All invalid addresses share one network. */
const UNKNOWN = { narrow: 'unknown', wide: 'unknown' };

/** Returns both networks of an address. IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4) count as that one. */
export function networksOf(ip: string): Networks {
  const address = bare(ip);
  if (isIPv4(address)) return ofIPv4(address.split('.').map(Number));
  if (!isIPv6(address)) return UNKNOWN;
  const groups = groupsOf(address);
  const inner = innerIPv4(groups);
  if (inner) return ofIPv4(inner.flatMap((group) => [group >> 8, group & 255]));
  const prefix = (count: number) =>
    `${groups
      .slice(0, count)
      .map(hex)
      .join(':')
      .replace(/(^|:)0(:0)*$/, '')}::/${count * 16}`;
  return { narrow: prefix(4), wide: prefix(3) };
}

/** Returns the customer's network. */
export const networkOf = (ip: string): string => networksOf(ip).narrow;

const hex = (group: number) => group.toString(16);

const ofIPv4 = (bytes: readonly number[]): Networks => ({ narrow: bytes.join('.'), wide: `${bytes.slice(0, 3).join('.')}.0/24` });

/** Removes the zone, and the port that some proxies add. Overlong text is not an address. */
function bare(ip: string | undefined): string {
  if (ip === undefined || ip.length > 100) return '';
  const [, inBrackets, beforePort] = /^\[([^\]]*)\]|^([\d.]+):\d+$/.exec(ip) ?? [];
  return (inBrackets ?? beforePort ?? ip).split('%', 1)[0] ?? '';
}

/** Returns the eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const side = (text: string | undefined) => (text ? text.split(':').flatMap(parseGroup) : []);
  const [head, tail] = address.split('::');
  const [before, after] = [side(head), side(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** Returns one group, or two for a dotted IPv4 part. */
function parseGroup(text: string): number[] {
  if (!text.includes('.')) return [Number.parseInt(text, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** Returns the two groups of an embedded IPv4 address: ::ffff:0:0/96, 64:ff9b::/96 (NAT64) or 2002::/16 (6to4). */
function innerIPv4(groups: readonly number[]): number[] | null {
  const starts = (...prefix: number[]) => prefix.every((group, at) => groups[at] === group);
  if (starts(0, 0, 0, 0, 0, 0xffff) || starts(0x64, 0xff9b, 0, 0, 0, 0)) return groups.slice(6);
  return starts(0x2002) ? groups.slice(1, 3) : null;
}
