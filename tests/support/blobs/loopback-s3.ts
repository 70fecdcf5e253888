import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Access } from '#server/ports/blobs/s3-blobs.ts';

/** What a request meets: errors that the documentation names, and a network that fails. `late`: the work is done, then the connection is cut.
 * `drop`: a PUT is acknowledged and forgotten. `nameless`: 404 without a body, as from a server that knows no bucket. */
export type Fault =
  | 'SlowDown'
  | 'InternalError'
  | 'AccessDenied'
  | 'NoSuchBucket'
  | 'hang'
  | 'reset'
  | 'cut'
  | 'stall'
  | 'late'
  | 'drop'
  | 'nameless';

const STATUS = { SlowDown: 503, InternalError: 500, AccessDenied: 403, NoSuchBucket: 404 } as const;
/** Objects per page. Amazon's limit is 1,000. */
const PAGE = 2;
/** Difference of clocks that Amazon accepts, ms. */
const MAX_SKEW = 15 * 60_000;

interface Call {
  request: http.IncomingMessage;
  response: http.ServerResponse;
  url: URL;
  body: Buffer;
}

export interface LoopbackS3 {
  access: S3Access;
  objects: Map<string, Buffer>;
  /** Method and key of each request, oldest first. */
  calls: string[];
  /** Faults of the next requests; `always` keeps the last one. */
  fail(...faults: Fault[]): void;
  always(fault: Fault | undefined): void;
  /** Fails every request after so many further ones. */
  failAfter(requests: number, fault: Fault): void;
  /** Difference of the server's clock, ms. */
  clock: { ahead: number };
  close(): Promise<void>;
}

/** A bucket that checks what Amazon's documentation of Signature Version 4 and of each call demands, and fails as it warns. */
export async function startLoopbackS3(): Promise<LoopbackS3> {
  const access: S3Access = { endpoint: '', region: 'eu-test-1', bucket: 'pictures', accessKeyId: 'AKID', secretAccessKey: 'secret' };
  const objects = new Map<string, Buffer>();
  const calls: string[] = [];
  const faults: (Fault | undefined)[] = [];
  let lasting: Fault | undefined;
  const clock = { ahead: 0 };

  const server = http.createServer(async (request, response): Promise<unknown> => {
    const body = Buffer.concat(await request.toArray().catch(() => []));
    const url = new URL(request.url ?? '/', 'http://bucket');
    calls.push(`${request.method} ${url.pathname}`);
    response.setHeader('date', new Date(Date.now() + clock.ahead).toUTCString());
    const call = { request, response, url, body };
    const fault = faults.length > 0 ? faults.shift() : lasting;
    if (fault === 'hang') return undefined;
    if (fault === 'nameless') return response.writeHead(404).end();
    if (fault === 'drop' && request.method === 'PUT') return response.end();
    if (fault === 'reset') return request.socket.destroy();
    if (fault && fault in STATUS) return refuse(call, STATUS[fault as keyof typeof STATUS], fault);
    const refusal = refusalOf(call, access, Date.now() + clock.ahead);
    if (refusal) return refuse(call, 403, refusal);
    if (fault === 'cut' || fault === 'stall') return sendHalf(call, objects, fault);
    if (fault === 'late') {
      answer({ ...call, response: new http.ServerResponse(request) }, objects, access);
      return request.socket.destroy();
    }
    return answer(call, objects, access);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  access.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    access,
    objects,
    calls,
    clock,
    fail: (...more) => void faults.push(...more),
    always(fault) {
      lasting = fault;
    },
    failAfter(requests, fault) {
      faults.push(...new Array(requests).fill(undefined));
      lasting = fault;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer({ request, response, url, body }: Call, objects: Map<string, Buffer>, { bucket }: S3Access): unknown {
  const key = decodeURIComponent(url.pathname.slice(bucket.length + 2));
  const found = objects.get(key);
  switch (request.method) {
    case 'PUT':
      if (request.headers['content-length'] === undefined) return refuse({ request, response }, 411, 'MissingContentLength');
      objects.set(key, body);
      return response.setHeader('etag', '"1"').end();
    case 'DELETE':
      objects.delete(key);
      return response.writeHead(204).end();
    case 'HEAD':
      if (!found) return response.writeHead(404).end();
      return response.writeHead(200, { 'content-length': found.length }).end();
    default:
      if (key === '') return response.setHeader('content-type', 'application/xml').end(list(url, objects));
      if (!found) return refuse({ request, response }, 404, 'NoSuchKey');
      return response.writeHead(200, { 'content-length': found.length }).end(found);
  }
}

function list({ searchParams }: URL, objects: Map<string, Buffer>): string {
  const [prefix, after] = [searchParams.get('prefix') ?? '', searchParams.get('continuation-token') ?? ''];
  const rest = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = rest.slice(0, PAGE);
  const contents = page.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><Size>${objects.get(key)?.length}</Size></Contents>`,
  );
  const next = rest.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<ListBucketResult><IsTruncated>${rest.length > PAGE}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
}

/** Sends half of an object. Then it cuts the connection or sends nothing more. */
function sendHalf({ request, response, url }: Call, objects: Map<string, Buffer>, then: 'cut' | 'stall'): void {
  const found = objects.get(url.pathname.split('/').slice(2).join('/')) ?? Buffer.from('half');
  response.writeHead(200, { 'content-length': found.length });
  response.write(found.subarray(0, found.length / 2), () => then === 'cut' && setTimeout(() => request.socket.destroy(), 50));
}

function refuse({ request, response }: Pick<Call, 'request' | 'response'>, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code><Message>${code} of the test</Message></Error>`);
}

/** Returns the code of Amazon's refusal, or undefined for a request whose signature covers its content. */
function refusalOf({ request, url, body }: Call, { region, accessKeyId, secretAccessKey, bucket }: S3Access, now: number) {
  const header = (name: string) => String(request.headers[name] ?? '');
  const date = header('x-amz-date');
  const sentAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const [, credential, signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(header('authorization')) ?? [];
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
  if (credential !== `${accessKeyId}/${scope}`) return 'InvalidAccessKeyId';
  if (!(Math.abs(now - sentAt) <= MAX_SKEW)) return 'RequestTimeTooSkewed';
  const hash = sha256(body);
  if (header('x-amz-content-sha256') !== hash) return 'XAmzContentSHA256Mismatch';
  const query = [...url.searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).sort();
  const headers = signed.split(';').map((name) => `${name}:${header(name).trim()}\n`);
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), signed, hash].join('\n');
  const key = [date.slice(0, 8), region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`);
  const expected = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
  if (signature !== expected) return 'SignatureDoesNotMatch';
  return url.pathname.split('/')[1] === bucket ? undefined : 'NoSuchBucket';
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
