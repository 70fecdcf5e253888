import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const REVENUECAT_KEY = 'sk_revenuecat_of_the_tests';

/** A purchase in the fake RevenueCat. Dates are ISO 8601. */
interface Held {
  product: string;
  expires: string;
  grace?: string;
  sandbox?: boolean;
  unsubscribed?: string;
  billingIssue?: string;
  refunded?: string;
}

export interface FakeRevenueCat {
  url: string;
  /** Purchases by app user id. An unknown id gets an empty customer, as at the real service. */
  customers: Map<string, Held[]>;
  /** Requested app user ids, oldest first. */
  asked: string[];
  /** Replaces the next answers, one each: a status, or text for a body. */
  faults: (number | string)[];
  close(): Promise<void>;
}

const entitlement = ({ product, expires, grace }: Held) => ({
  expires_date: expires,
  grace_period_expires_date: grace ?? null,
  product_identifier: product,
  purchase_date: '2026-03-01T00:00:00Z',
});

const subscription = ({ expires, grace, sandbox = false, unsubscribed, billingIssue, refunded }: Held) => ({
  expires_date: expires,
  grace_period_expires_date: grace ?? null,
  is_sandbox: sandbox,
  unsubscribe_detected_at: unsubscribed ?? null,
  billing_issues_detected_at: billingIssue ?? null,
  refunded_at: refunded ?? null,
  store: 'app_store',
});

/** Starts a fake of RevenueCat's subscribers endpoint on the loopback interface. */
export async function startRevenueCat(): Promise<FakeRevenueCat> {
  const customers: FakeRevenueCat['customers'] = new Map();
  const asked: string[] = [];
  const faults: FakeRevenueCat['faults'] = [];
  const server = createServer((request, response) => {
    const send = (status: number, body: string) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    if (request.headers.authorization !== `Bearer ${REVENUECAT_KEY}`) return send(401, '{"code":7225,"message":"Invalid API Key."}');
    const [, id] = request.url?.match(/^\/v1\/subscribers\/([^/?]+)$/) ?? [];
    if (!id) return send(404, '{"code":7117,"message":"Not found."}');
    asked.push(id);
    const fault = faults.shift();
    if (fault !== undefined) return typeof fault === 'number' ? send(fault, '{"code":7110,"message":"Down."}') : send(200, fault);
    const held = customers.get(id) ?? [];
    const subscriber = {
      entitlements: Object.fromEntries(held.map((one, index) => [`entitlement-${index}`, entitlement(one)])),
      subscriptions: Object.fromEntries(held.map((one) => [one.product, subscription(one)])),
      non_subscriptions: {},
      original_app_user_id: id,
    };
    return send(200, JSON.stringify({ request_date: '2026-03-05T12:00:00Z', subscriber }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    customers,
    asked,
    faults,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
