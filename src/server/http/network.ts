import { isIPv6 } from 'node:net';

/** What one caller can be told apart by: an IPv4 address, or the /64 network that a single IPv6 customer has to choose addresses from. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head ? head.split(':') : [];
  const end = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : 8 - groups.length - end.length;
  return [...groups, ...Array.from({ length: missing }, () => '0'), ...end]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
