import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP writes it in JSON: ids in hexadecimal, times as decimal text in nanoseconds. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number; message?: string };
}

/** Behavior of the collector for one request. */
export type Reply = (response: ServerResponse) => void;

export interface Collector {
  url: string;
  /** Replies to the next requests, in turn; then the collector accepts. */
  replies: Reply[];
  /** Replies when `replies` is empty. Default: accepts. */
  always: Reply;
  /** Bodies of accepted requests. */
  readonly accepted: readonly string[];
  readonly headers: readonly IncomingMessage['headers'][];
  /** Spans of accepted requests. */
  spans(): CollectedSpan[];
  /** Resets the connections of all requests. */
  hangUp(): void;
  close(): void;
}

/** Accepts everything: an ExportTraceServiceResponse without a partial success. */
export const accept: Reply = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Reply =>
  (response) =>
    void response.writeHead(status, headers).end(body);
export const never: Reply = () => undefined;

/** Starts an OpenTelemetry collector by the OTLP specification: `POST /v1/traces` with JSON. Other requests get its error answers. */
export async function startCollector(): Promise<Collector> {
  const accepted: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      if (request.url !== '/v1/traces' || request.method !== 'POST') return void response.writeHead(404).end();
      if (request.headers['content-type'] !== 'application/json') return void response.writeHead(415).end();
      const reply = collector.replies.shift() ?? collector.always;
      headers.push(request.headers);
      if (reply === accept) accepted.push(Buffer.concat(parts).toString());
      reply(response);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replies: [],
    always: accept,
    accepted,
    headers,
    spans: () => accepted.flatMap(spansOf),
    hangUp: () => server.closeAllConnections(),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return collector;
}

function spansOf(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

/** Returns the value of a span's attribute. */
export function attributeOf({ attributes }: CollectedSpan, key: string): unknown {
  const value = attributes.find((each) => each.key === key)?.value;
  return value && Object.values(value)[0];
}
