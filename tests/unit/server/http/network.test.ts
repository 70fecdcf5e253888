import { expect, test } from 'vitest';
import { networkOf } from '../../../../src/server/http/network';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['2001:db8:0:7::1', '2001:db8:0:7'],
  ['2001:0db8:0000:0007:0000:0000:0000:ffff', '2001:db8:0:7'],
  ['2001:DB8::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%j is of the network %j', (ip, network) => expect(networkOf(ip)).toBe(network));
