import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reserve } from '#server/ports/analyst/costs.ts';

/** Reserves nothing, for models that cost nothing. */
export const free: Reserve = async () => async () => undefined;

/** A received request. */
export interface ModelRequest {
  url: string;
  authorization: string | undefined;
  body: {
    model: string;
    stream: boolean;
    max_tokens: number;
    messages: { role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }[];
    tools?: { function: { name: string } }[];
  };
}

/** Behavior of the server for one request. */
export type Play = (response: ServerResponse, request: ModelRequest) => void;

const headers = { 'content-type': 'text/event-stream' };
const event = (choice: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`;
const END = 'data: [DONE]\n\n';

/** Answers with a text, one word per chunk. */
export const say =
  (text: string, finish = 'stop'): Play =>
  (response) => {
    response.writeHead(200, headers);
    for (const word of text.split(/(?<= )/)) response.write(event({ delta: { content: word } }));
    response.end(event({ delta: {}, finish_reason: finish }) + END);
  };

/** Begins to answer after a time, ms. */
export const later =
  (delay: () => number, play: Play): Play =>
  (response, request) =>
    void setTimeout(() => play(response, request), delay());

/** Calls tools, with arguments in several chunks, as real servers send them. */
export const callTools =
  (...calls: { name: string; arguments: string | object }[]): Play =>
  (response) => {
    response.writeHead(200, headers);
    for (const [index, { name, arguments: wanted }] of calls.entries()) {
      const written = typeof wanted === 'string' ? wanted : JSON.stringify(wanted);
      response.write(
        event({ delta: { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] } }),
      );
      for (let at = 0; at < written.length; at += 7)
        response.write(event({ delta: { tool_calls: [{ index, function: { arguments: written.slice(at, at + 7) } }] } }));
    }
    response.end(event({ delta: {}, finish_reason: 'tool_calls' }) + END);
  };

/** Sends these bytes as they are, one chunk each. */
export const send =
  (...pieces: (string | Buffer)[]): Play =>
  (response) => {
    response.writeHead(200, headers);
    for (const piece of pieces) response.write(piece);
    response.end();
  };

export const refuse =
  (status: number, retryAfter?: string): Play =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) });
    response.end(JSON.stringify({ error: { message: 'no' } }));
  };

/** Starts an answer and never finishes it. */
export const hang =
  (begin = ''): Play =>
  (response) => {
    if (!begin) return;
    response.writeHead(200, headers);
    response.write(event({ delta: { content: begin } }));
  };

/** Says a word again and again and never finishes: only the time limit of the whole answer ends it, not that of silence. */
export const drone: Play = (response) => {
  response.writeHead(200, headers);
  const timer = setInterval(() => response.write(event({ delta: { content: 'well ' } })), 500);
  response.once('close', () => clearInterval(timer));
};

export const breakOff: Play = (response) => {
  response.writeHead(200, headers);
  response.write(event({ delta: { content: 'Half an ' } }));
  setImmediate(() => response.destroy());
};

export interface ModelServer {
  /** Value for AI_BASE_URL. */
  url: string;
  requests: ModelRequest[];
  /** Sets the behavior of the next requests, one each. The last one repeats. */
  plays: Play[];
  close(): Promise<void>;
}

/** Starts a fake OpenAI-compatible server that behaves as the test says. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const model = { plays: [say('Nothing was scripted.')] as Play[] };
  const server = createServer(async (request: IncomingMessage, response) => {
    let text = '';
    for await (const part of request) text += part;
    const seen: ModelRequest = { url: request.url ?? '', authorization: request.headers.authorization, body: JSON.parse(text) };
    requests.push(seen);
    const play = model.plays.length > 1 ? model.plays.shift() : model.plays[0];
    play?.(response, seen);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(model, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
