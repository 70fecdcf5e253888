import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, MINUTE } from '#domain/clock.ts';
import { EVERY_ROUTE } from './rate-limits.ts';

/** Answers remembered; the first to be remembered is the first to go. */
const MOST_ANSWERS = 200;
/** A question is short, or it takes the ordinary way. */
const LONGEST_QUESTION = 1024;
/** Request headers that an answer depends on, besides the token. */
const ASKED_WITH = ['accept-encoding', 'content-type', 'origin', 'if-none-match'] as const;
/** Headers that belong to one answer alone. */
const OWN = /^(x-request-id|x-ratelimit-.*|retry-after|date|connection|content-length|transfer-encoding)$/;

interface Remembered {
  status: number;
  /** Names and values in turn, as node:http takes them fastest. */
  headers: readonly string[];
  body: Buffer;
  /** Whether the same question still has this answer. */
  holds: () => boolean;
}

interface Parts {
  /** The one path whose answers are the same for everybody who is signed in. */
  path: string;
  /** Whether an access token was found good before and still is. */
  isKnown: (accessToken: string) => boolean;
  clock: Clock;
}

export interface HotLane {
  /** Sends an answer, and lets it be repeated to others who ask the same for as long as it `holds`. */
  send(request: FastifyRequest, reply: FastifyReply, body: Buffer, holds: () => boolean): FastifyReply;
  attach(app: FastifyInstance): void;
}

/**
 * Repeats what the ordinary way has answered, in front of it: the list of the market is the same bytes for everybody,
 * and routing, hooks and headers cost four times what sending does. Whatever is unusual about a request (an unknown
 * token, a new question, too many of them) takes the ordinary way, so that all rules stay there.
 */
export function createHotLane({ path, isKnown, clock }: Parts): HotLane {
  const answers = new Map<string, Remembered>();
  /** Questions on their ordinary way, whose answers may be remembered. */
  const open = new WeakMap<IncomingMessage, string>();
  let counts = new Map<string, number>();
  let minute = 0;
  let closing = false;

  /** Counts by token; the ordinary way, by user. */
  function allowed(token: string): boolean {
    const now = Math.floor(clock() / MINUTE);
    if (now !== minute) [minute, counts] = [now, new Map()];
    const count = (counts.get(token) ?? 0) + 1;
    counts.set(token, count);
    return count <= EVERY_ROUTE.max;
  }

  function mayPass({ headers: { authorization = '' } }: IncomingMessage): boolean {
    const token = authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : '';
    return isKnown(token) && allowed(token);
  }

  const onPath = (url: string) => url.startsWith(path) && (url.length === path.length || url[path.length] === '?');

  function attach(app: FastifyInstance): void {
    const ordinary = app.server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
    app.server.removeAllListeners('request');

    function goOn(request: IncomingMessage, response: ServerResponse): void {
      for (const listener of ordinary) listener.call(app.server, request, response);
    }

    /** Whether it was answered; else it has to take the ordinary way. */
    function repeated(request: IncomingMessage, response: ServerResponse, question: string): boolean {
      const remembered = answers.get(question);
      if (!remembered || closing || !remembered.holds() || !mayPass(request)) {
        open.set(request, question);
        return false;
      }
      const id = randomUUID();
      response.writeHead(remembered.status, [...remembered.headers, 'x-request-id', id]);
      response.end(remembered.body);
      app.log.info({ reqId: id, method: request.method, route: path, status: remembered.status, hot: true }, 'answered');
      return true;
    }

    function take(request: IncomingMessage, response: ServerResponse): void {
      const { method, url = '', headers } = request;
      const length = Number(headers['content-length'] ?? Number.NaN);
      if (!onPath(url) || url.length > LONGEST_QUESTION) goOn(request, response);
      else if (method === 'GET') {
        if (!repeated(request, response, questionOf(request))) goOn(request, response);
      } else if (method === 'POST' && length > 0 && length <= LONGEST_QUESTION) {
        // A short body comes in one piece. Read and put back, it is there for the ordinary way.
        request.once('readable', () => {
          const body: Buffer | null = request.read();
          if (body?.length === length && repeated(request, response, questionOf(request) + body)) return;
          if (body) request.unshift(body);
          goOn(request, response);
        });
      } else goOn(request, response);
    }

    app.server.on('request', take);
    app.addHook('preClose', async () => {
      closing = true;
    });
  }

  return {
    attach,
    send(request, reply, body, holds) {
      const question = open.get(request.raw);
      if (question !== undefined) {
        const headers = Object.entries(reply.getHeaders()).filter(([name]) => !OWN.test(name));
        const flat = headers.flatMap(([name, value]) => [name, String(value)]);
        if (body.length > 0) flat.push('content-length', String(body.length));
        answers.delete(question);
        answers.set(question, { status: reply.statusCode, headers: flat, body, holds });
        for (const oldest of answers.keys()) {
          if (answers.size <= MOST_ANSWERS) break;
          answers.delete(oldest);
        }
      }
      return reply.send(body.length > 0 ? body : undefined);
    },
  };
}

/** All that decides the answer, but for a body. */
const questionOf = ({ method, url, headers }: IncomingMessage): string =>
  `${method} ${url}\n${ASKED_WITH.map((name) => headers[name] ?? '').join('\n')}\n`;
