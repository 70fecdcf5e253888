import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { bytesOf } from '#server/ports/bytes-of.ts';
import { retryAfter } from '#server/ports/retry-after.ts';
import { readEvents } from './events.ts';

/** A message of an OpenAI-compatible chat. */
export type Message =
  | { role: 'system' | 'assistant'; content: string }
  | { role: 'user'; content: string | Part[] }
  | { role: 'assistant'; content: string | null; tool_calls: WireToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

interface WireToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface ToolCall {
  id: string;
  name: string;
  /** Arguments as the model wrote them; may be invalid JSON. */
  arguments: string;
}

export interface Completion {
  text: string;
  toolCalls: ToolCall[];
  /** The model reached its token limit. */
  cut: boolean;
}

export interface Endpoint {
  baseUrl: string;
  key: string;
  model: string;
  /** Timeout for the first byte and for each further chunk, ms. */
  patience: number;
}

export interface CompletionRequest {
  messages: readonly Message[];
  tools: readonly unknown[];
  /** Maximum number of tokens of the response. */
  maxTokens: number;
  signal: AbortSignal;
}

/** The completion failed. With `again`, a retry after `wait` ms may succeed. */
class CompletionError extends Error {
  constructor(
    message: string,
    readonly again: boolean,
    readonly wait = 0,
  ) {
    super(message);
  }
}

const delta = z.object({
  content: z.optional(z.nullable(z.string())),
  tool_calls: z.optional(
    z.nullable(
      z.array(
        z.object({
          index: z.optional(z.number()),
          id: z.optional(z.nullable(z.string())),
          function: z.optional(z.object({ name: z.optional(z.nullable(z.string())), arguments: z.optional(z.nullable(z.string())) })),
        }),
      ),
    ),
  ),
});
const chunk = z.object({
  choices: z.array(z.object({ delta: z.optional(delta), finish_reason: z.optional(z.nullable(z.string())) })),
});

/** Maximum length of an answer; more means that the model is looping. */
const MAX_CHARACTERS = 60_000;
/** Maximum `Retry-After`, ms; a longer one fails at once. */
const LONGEST_WAIT = 3_000;
const FIRST_WAIT = 500;

/** Requests a completion, with one retry after a transport error. Throws CompletionError or the signal's reason. */
export async function complete(endpoint: Endpoint, request: CompletionRequest): Promise<Completion> {
  try {
    return await attempt(endpoint, request);
  } catch (error) {
    const first = request.signal.aborted ? request.signal.reason : error;
    if (!(first instanceof CompletionError) || !first.again || first.wait > LONGEST_WAIT) throw first;
    await wait(first.wait, undefined, { signal: request.signal }).catch(() => request.signal.throwIfAborted());
    return attempt(endpoint, request);
  }
}

async function attempt({ baseUrl, key, model, patience }: Endpoint, request: CompletionRequest): Promise<Completion> {
  const idle = new AbortController();
  let timer = setTimeout(giveUp, patience);
  function giveUp() {
    idle.abort(new CompletionError(`no word from the model for ${patience} ms`, true));
  }
  function alive() {
    clearTimeout(timer);
    timer = setTimeout(giveUp, patience);
  }
  const signal = AbortSignal.any([request.signal, idle.signal]);
  try {
    const { messages, tools, maxTokens } = request;
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({
        model,
        messages,
        ...(tools.length > 0 && { tools }),
        max_tokens: maxTokens,
        stream: true,
      }),
      redirect: 'error',
      signal,
    });
    alive();
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      const again = response.status === 408 || response.status === 429 || response.status >= 500;
      throw new CompletionError(
        `the model's server answered ${response.status}`,
        again,
        retryAfter(response.headers, Date.now()) ?? FIRST_WAIT,
      );
    }
    return await joinChunks(readEvents(bytesOf(response, signal)), alive);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof CompletionError) throw error;
    // The cause of a fetch error explains it, and contains neither headers nor body.
    const { message, cause } = error as Error;
    throw new CompletionError(`${message}${cause instanceof Error ? `: ${cause.message}` : ''}`, true, FIRST_WAIT);
  } finally {
    clearTimeout(timer);
  }
}

/** Joins the chunks of a streamed answer. Fails on an unreadable chunk, because a gap could change the meaning. */
async function joinChunks(events: AsyncIterable<string>, alive: () => void): Promise<Completion> {
  let text = '';
  let finish: string | undefined;
  const calls = new Map<number, ToolCall>();
  for await (const event of events) {
    alive();
    if (event === '[DONE]') break;
    for (const { delta, finish_reason } of readChunk(event).choices) {
      text += delta?.content ?? '';
      for (const part of delta?.tool_calls ?? []) {
        const index = part.index ?? 0;
        const call = calls.get(index) ?? { id: '', name: '', arguments: '' };
        calls.set(index, call);
        call.id ||= part.id ?? '';
        call.name += part.function?.name ?? '';
        call.arguments += part.function?.arguments ?? '';
      }
      finish = finish_reason ?? finish;
    }
    if (text.length > MAX_CHARACTERS) throw new CompletionError('the model does not come to an end', false);
  }
  if (finish === undefined) throw new CompletionError('the answer broke off', true, FIRST_WAIT);
  if (finish === 'content_filter') throw new CompletionError("the model's server withheld the answer", false);
  return { text, toolCalls: [...calls.values()], cut: finish === 'length' };
}

function readChunk(event: string): z.infer<typeof chunk> {
  try {
    return chunk.parse(JSON.parse(event));
  } catch {
    throw new CompletionError('a piece of the answer could not be read', true, FIRST_WAIT);
  }
}
