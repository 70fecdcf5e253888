import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createReceiver } from './receiver.ts';
import { checkVapid } from './vapid.ts';

/** What a service does with a message. Services document the first ones; the others are what networks do. */
export type Behavior =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Takes the message and never answers. */
  | 'never'
  /** Answers, and never ends the body. */
  | 'endless'
  /** Ends the connection without an answer. */
  | 'cut';

/** A message that the service accepted, decrypted as the browser would. */
export interface Pushed {
  endpoint: string;
  headers: http.IncomingHttpHeaders;
  /** Bytes of the encrypted message. */
  size: number;
  text: string;
}

export interface PushSubscriber {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** Returns the texts that came for this browser, oldest first. */
  received(): string[];
  /** Returns the number of requests for this browser, the refused ones too. */
  asked(): number;
  /** Sets what the service does with the next messages for this browser; the last one stays. */
  behave(...next: Behavior[]): void;
}

export interface PushService {
  /** Origin, for PRIVATE_TARGETS. */
  origin: string;
  /** Accepted messages, oldest first. */
  pushed: Pushed[];
  /** What was wrong with requests. */
  faults: string[];
  /** Returns the number of requests that wait for an answer that never comes. */
  waiting(): number;
  /** Subscribes a browser. `key`: the public key that it lets send; by default any. */
  subscribe(key?: () => string | undefined): PushSubscriber;
  close(): Promise<void>;
}

const ACCEPTED: Behavior = { status: 201, headers: { location: 'https://push.example.com/message/1' } };
/** Bytes that services take (RFC 8030, 7.2). */
const MAX_BODY = 4096;
const TOPIC = /^[\w-]{1,32}$/;
const URGENCIES = ['very-low', 'low', 'normal', 'high'];

interface Options {
  now?: () => number;
  /** Returns how long an answer takes, ms. */
  latency?: () => number;
}

interface Sender {
  /** Origin of the service. */
  origin: string;
  /** The public key that the browser lets send. */
  key: string | undefined;
  now: number;
}

/** Returns what the RFCs do not allow in a request. */
function faultOf({ method, headers }: http.IncomingMessage, body: Buffer, { origin, key, now }: Sender): string | undefined {
  const { ttl, topic, urgency } = headers;
  if (method !== 'POST') return `the method is ${method}`;
  if (!/^\d+$/.test(String(ttl))) return `the TTL is ${ttl}`;
  if (topic !== undefined && !TOPIC.test(String(topic))) return `the topic is ${topic}`;
  if (urgency !== undefined && !URGENCIES.includes(String(urgency))) return `the urgency is ${urgency}`;
  if (headers['content-encoding'] !== 'aes128gcm') return `the encoding is ${headers['content-encoding']}`;
  if (body.length > MAX_BODY) return `the body has ${body.length} bytes`;
  try {
    const sender = checkVapid(headers.authorization, origin, now);
    return key !== undefined && sender.key !== key ? 'another server subscribed' : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Starts a push service on this machine, which refuses what the RFCs do not allow. */
export async function startPushService({ now = Date.now, latency }: Options = {}): Promise<PushService> {
  const browsers = new Map<string, { decrypt(body: Buffer): string; key: () => string | undefined; asked: number; next: Behavior[] }>();
  const [pushed, faults]: [Pushed[], string[]] = [[], []];
  let waiting = 0;

  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const endpoint = origin + request.url;
    const browser = browsers.get(endpoint);
    if (!browser) return void response.writeHead(404).end();
    browser.asked += 1;
    const wrong = faultOf(request, body, { origin, key: browser.key(), now: now() });
    if (wrong !== undefined) {
      faults.push(wrong);
      return void response.writeHead(403).end(wrong);
    }
    const [behavior = ACCEPTED] = browser.next;
    if (browser.next.length > 1) browser.next.shift();
    if (behavior === 'never') {
      waiting += 1;
      response.on('close', () => {
        waiting -= 1;
      });
      return;
    }
    if (behavior === 'cut') return void request.socket.destroy();
    if (behavior === 'endless') return void response.writeHead(201).write('.');
    if (behavior.status < 300) {
      try {
        pushed.push({ endpoint, headers: request.headers, size: body.length, text: browser.decrypt(body) });
      } catch (error) {
        faults.push((error as Error).message);
      }
    }
    if (latency) await pause(latency());
    response.writeHead(behavior.status, behavior.headers).end(behavior.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    pushed,
    faults,
    waiting: () => waiting,
    subscribe(key = () => undefined) {
      const { keys, decrypt } = createReceiver();
      const endpoint = `${origin}/${randomUUID()}`;
      const browser = { decrypt, key, asked: 0, next: [ACCEPTED] };
      browsers.set(endpoint, browser);
      return {
        endpoint,
        keys,
        received: () => pushed.filter((each) => each.endpoint === endpoint).map(({ text }) => text),
        asked: () => browser.asked,
        behave: (...next) => {
          browser.next = next;
        },
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
