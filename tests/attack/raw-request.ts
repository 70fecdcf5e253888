import { Agent, request } from 'node:http';

const TIMEOUT_MS = 20_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export interface RawRequest {
  method: string;
  /** Sent unchanged. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer | undefined;
}

export interface RawReply {
  /** 0 when no answer came. */
  status: number;
  type: string;
  text: string;
}

/** The server would read bytes without a length as the next request. */
const withLength = (headers: RawRequest['headers'], body: Buffer | undefined) =>
  body ? { ...headers, 'content-length': String(body.length) } : headers;

/** Sends a request that `fetch` would correct or refuse. Never rejects. Returns undefined when Node refuses to send it. */
export function sendRaw(url: string, wanted: RawRequest): Promise<RawReply | undefined> {
  const { method, path, headers, body } = wanted;
  const port = Number(new URL(url).port);
  return new Promise((resolve) => {
    const fail = (error: unknown) => resolve({ status: 0, type: '', text: String(error) });
    try {
      const sent = request(
        { host: '127.0.0.1', port, method, path, headers: withLength(headers, body), agent, timeout: TIMEOUT_MS },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            if (text.length < 100_000) text += chunk.toString('utf8');
          });
          const answered = () => {
            const { statusCode = 0, headers: said } = response;
            resolve({ status: statusCode, type: said['content-type'] ?? '', text });
          };
          response.on('end', answered);
          // The rest of a broken request can end its connection while the server answers. A server that dies fails the next request.
          response.on('error', answered);
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
      // The server may close an idle connection just as this request uses it.
      sent.on('error', (error) => (sent.reusedSocket ? resolve(sendRaw(url, wanted)) : fail(error)));
      sent.end(body);
    } catch {
      resolve(undefined);
    }
  });
}
