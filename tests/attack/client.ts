const TIMEOUT_MS = 20_000;

export interface Call {
  method?: string;
  /** A plain object is sent as JSON; text, bytes and forms are sent unchanged. */
  body?: object | string;
  token?: string;
  /** Forwarded address of the caller; undefined for a caller on this machine. */
  from?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Reply {
  /** 0 when no answer came. */
  status: number;
  text: string;
  /** Parsed body, or undefined when it is not JSON. */
  json: unknown;
  headers: Headers;
  ms: number;
}

export interface Client {
  readonly url: string;
  /** Calls a path of the server. Never rejects; without an answer the status is 0. */
  call(path: string, init?: Call): Promise<Reply>;
}

/** @param url - Base address of a server on this machine. Throws for any other. */
export function createClient(url: string): Client {
  const { hostname } = new URL(url);
  if (hostname !== 'localhost' && hostname !== '127.0.0.1') throw new Error(`Attacks target this machine only, not ${hostname}.`);

  return {
    url,
    async call(path, { method, body, token, from, headers = {}, signal } = {}) {
      const isPlain = typeof body === 'object' && !(body instanceof FormData) && !(body instanceof Uint8Array);
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const began = performance.now();
      try {
        const response = await fetch(url + path, {
          method: method ?? (body === undefined ? 'GET' : 'POST'),
          headers: {
            ...(isPlain && { 'content-type': 'application/json' }),
            ...(token && { authorization: `Bearer ${token}` }),
            ...(from && { 'x-forwarded-for': from }),
            ...headers,
          },
          ...(body !== undefined && { body: isPlain ? JSON.stringify(body) : (body as string | FormData) }),
          redirect: 'manual',
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        });
        const text = await response.text();
        return { status: response.status, text, json: parsed(text), headers: response.headers, ms: performance.now() - began };
      } catch (error) {
        return { status: 0, text: String(error), json: undefined, headers: new Headers(), ms: performance.now() - began };
      }
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns an address in an IPv6 /64 of the attacker. */
export const addressIn = (network: number, host: number): string =>
  `2001:db8:bad:${network.toString(16)}::${(host >>> 16).toString(16)}:${(host & 0xffff).toString(16)}`;
