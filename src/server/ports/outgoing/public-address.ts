import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Networks that are not the public internet: private, shared, local, documentation, benchmarks, multicast, reserved. */
const SPECIAL_IPV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** Within the global unicast addresses: Teredo and other protocols, documentation, 6to4. They can hold a private IPv4 address. */
const SPECIAL_IPV6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special4 = new BlockList();
for (const [network, bits] of SPECIAL_IPV4) special4.addSubnet(network, bits, 'ipv4');
const special6 = new BlockList();
for (const [network, bits] of SPECIAL_IPV6) special6.addSubnet(network, bits, 'ipv6');
/** All other IPv6 addresses are local, reserved, or hold an IPv4 address. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Returns whether an IP address is on the public internet. */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !special4.check(ip, 'ipv4');
  return isIPv6(ip) && !ip.includes('%') && global6.check(ip, 'ipv6') && !special6.check(ip, 'ipv6');
}

/** Returns whether a URL names an address, and not a name, that is not on the public internet. */
export function isPrivateLiteral({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isPublicAddress(host);
}
