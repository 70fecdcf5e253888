import type { ServerResponse } from 'node:http';
import { type ModelServer, type Play, say } from './openai.ts';

/** What local runners and other OpenAI-compatible servers send, from their documentation. */

const SSE = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const event = (body: object): string => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...body })}\n\n`;
export const piece = (delta: object, finish_reason: string | null = null): string =>
  event({ choices: [{ index: 0, delta, finish_reason }] });
const DONE = 'data: [DONE]\n\n';

/** The chunk that counts tokens: OpenAI and Ollama send an empty list of choices, vLLM null. */
export const usageChunk = (input: number, output: number, choices: [] | null = []): string =>
  event({ choices, usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } });

/** Sends these pieces and ends. */
export const stream =
  (...pieces: string[]): Play =>
  (response) => {
    response.writeHead(200, SSE);
    for (const each of pieces) response.write(each);
    response.end();
  };

/** Sends these pieces and leaves the stream open. */
export const leaveOpen =
  (...pieces: string[]): Play =>
  (response) => {
    response.writeHead(200, SSE);
    for (const each of pieces) response.write(each);
  };

/** Says a text and counts its tokens. */
export const sayCounted = (text: string, input: number, output: number, choices: [] | null = []): Play =>
  stream(piece({ role: 'assistant', content: text }), piece({}, 'stop'), usageChunk(input, output, choices), DONE);

/** Ollama sends each call whole, all with index 0. */
export const callLikeOllama = (...calls: { name: string; arguments: object }[]): Play =>
  stream(
    ...calls.map(({ name, arguments: wanted }, at) =>
      piece({
        role: 'assistant',
        content: '',
        tool_calls: [{ id: `call_${at}x`, index: 0, type: 'function', function: { name, arguments: JSON.stringify(wanted) } }],
      }),
    ),
    piece({ role: 'assistant', content: '' }, 'tool_calls'),
    DONE,
  );

/** Calls without ids, with arguments as an object, as some proxies forward them. */
export const callWithoutIds = (...calls: { name: string; arguments: object }[]): Play =>
  stream(piece({ tool_calls: calls.map((call) => ({ function: call })) }), piece({}, 'tool_calls'));

const refuseWith =
  (status: number, body: object): Play =>
  (response) => {
    response.writeHead(status, JSON_TYPE);
    response.end(JSON.stringify(body));
  };

/** llama.cpp while it loads its model. */
export const loading = refuseWith(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } });

/** Refuses requests that have more characters than fit, in the words of each server. */
export const refusals = {
  'llama.cpp': refuseWith(400, {
    error: {
      code: 400,
      message: 'request (13392 tokens) exceeds the available context size (4096 tokens), try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 13392,
      n_ctx: 4096,
    },
  }),
  OpenAI: refuseWith(400, {
    error: {
      message: "This model's maximum context length is 4097 tokens. However, your messages resulted in 13392 tokens.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  }),
  Ollama: refuseWith(400, {
    error: { message: 'the input length exceeds the context length', type: 'invalid_request_error', param: null, code: null },
  }),
};

/** Ollama for a model whose template has no tools, and llama.cpp without `--jinja`. */
export const noTools = {
  Ollama: refuseWith(400, {
    error: { message: 'registry.ollama.ai/library/gemma3:4b does not support tools', type: 'api_error', param: null, code: null },
  }),
  'llama.cpp': refuseWith(500, { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } }),
};

/** Refuses a field that newer or older servers do not know. */
export const unknownField = (message: string): Play => refuseWith(400, { error: { message, type: 'invalid_request_error' } });

/** Answers with these words and type, whatever was asked for. */
export const page =
  (type: string, body: string): Play =>
  (response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  };

/** An answer as one JSON object, as servers without streaming send it. */
export const whole = (text: string): Play =>
  page(
    'application/json',
    JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }] }),
  );

/** Ollama reports a failure in mid-stream as a line of its own. */
export const failInStream = stream(piece({ content: 'Half an ' }), '{"error":"an error was encountered while running the model"}\n');

/** Repeats a piece until the client goes. */
export const repeat =
  (each: string, pause = 0): Play =>
  (response) => {
    response.writeHead(200, SSE);
    const write = (): void => {
      if (response.destroyed) return;
      const isRoom = response.write(each);
      if (isRoom) setTimeout(write, pause);
      else response.once('drain', write);
    };
    write();
  };

/** Breaks the connection with a reset, in mid-stream. */
export const reset: Play = (response) => {
  response.writeHead(200, SSE);
  response.write(piece({ content: 'Half an ' }), () => setImmediate(() => response.socket?.resetAndDestroy()));
};

/** Behaves as `play`, and counts the connections that the client has left. */
export function watchLeft(play: Play): { play: Play; left: () => number } {
  let left = 0;
  return {
    left: () => left,
    play(response: ServerResponse, request) {
      response.on('close', () => {
        if (!response.writableFinished) left++;
      });
      play(response, request);
    },
  };
}

/** Refuses requests of more characters than `max`, as `refusal`, and answers others with a text. */
export const withRoomFor = (max: number, refusal: Play, text: string): Play => {
  return (response, request) => (JSON.stringify(request.body).length > max ? refusal : say(text))(response, request);
};

/** The contents of the last request's messages with this role. */
export const sentAs = (server: ModelServer, role: string): unknown[] =>
  server.requests
    .at(-1)
    ?.body.messages.filter((message) => message.role === role)
    .map(({ content }) => content) ?? [];
