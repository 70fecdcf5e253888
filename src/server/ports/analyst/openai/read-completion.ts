import * as z from 'zod/mini';
import { bytesOf } from '#server/ports/bytes-of.ts';
import type { Tokens } from '../costs.ts';
import { readEvents } from './events.ts';
import { type Completion, CompletionError, FIRST_WAIT, type ToolCall } from './wire.ts';

const maybe = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));

const callPart = z.object({
  index: maybe(z.number()),
  id: maybe(z.string()),
  function: maybe(
    z.object({
      name: maybe(z.string()),
      // Some runners send the arguments of a whole call as an object.
      arguments: maybe(z.union([z.string(), z.record(z.string(), z.unknown())])),
    }),
  ),
});
const delta = z.object({
  content: maybe(z.string()),
  // Models that think aloud: llama.cpp and DeepSeek use the first name, Ollama the second.
  reasoning_content: maybe(z.string()),
  reasoning: maybe(z.string()),
  tool_calls: maybe(z.array(callPart)),
});
const counted = z.int().check(z.minimum(0), z.maximum(100_000_000));
const usage = z.object({ prompt_tokens: counted, completion_tokens: counted });
const chunk = z.object({
  // The chunk that counts tokens has no choices: an empty list, null, or no field.
  choices: maybe(z.array(z.object({ delta: maybe(delta), message: maybe(delta), finish_reason: maybe(z.string()) }))),
  usage: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
});

/** Maximum characters of an answer, its thoughts and its calls; more means that the model is looping. */
const MAX_CHARACTERS = 60_000;
/** How long the count of tokens and the end of the stream may take after the last token, ms. */
const LAST_WORDS = 1_000;

interface Reading {
  signal: AbortSignal;
  /** Called with each token that arrives: text, thoughts or a part of a call. Comments and empty chunks are none. */
  onToken: (characters: number) => void;
}

/**
 * Reads a completion, streamed or whole. Fails on an unreadable chunk, because a gap could change the meaning, and with the
 * signal's reason. A stream that stays open or breaks after its last token is complete.
 */
export async function readCompletion(response: Response, { signal, onToken }: Reading): Promise<Completion> {
  const state = { text: '', calls: [] as ToolCall[], finish: undefined as string | undefined, usage: undefined as Tokens | undefined };
  const places = new Map<number, ToolCall>();
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let characters = 0;
  try {
    const body = bytesOf(response, AbortSignal.any([signal, over.signal]));
    const isWhole = response.headers.get('content-type')?.includes('application/json') ?? false;
    for await (const event of isWhole ? wholeOf(body) : readEvents(body)) {
      if (event === '[DONE]') {
        if (characters > 0) state.finish ??= 'stop';
        break;
      }
      const { choices, usage: counts } = readChunk(event);
      const tokens = usage.safeParse(counts);
      if (tokens.success) state.usage = { input: tokens.data.prompt_tokens, output: tokens.data.completion_tokens };
      for (const { delta: streamed, message, finish_reason } of choices ?? []) {
        const part = streamed ?? message;
        const length = join(state, places, part);
        characters += length;
        if (length > 0) onToken(length);
        state.finish = finish_reason ?? state.finish;
      }
      if (characters > MAX_CHARACTERS) throw new CompletionError('the model does not come to an end', false);
      if (state.finish !== undefined) timer ??= setTimeout(() => over.abort(), LAST_WORDS);
    }
  } catch (error) {
    if (state.finish === undefined || error instanceof CompletionError) throw error;
  } finally {
    clearTimeout(timer);
  }
  if (state.finish === undefined) throw new CompletionError('the answer broke off', true, FIRST_WAIT);
  if (state.finish === 'content_filter') throw new CompletionError("the model's server withheld the answer", false);
  return { text: state.text, toolCalls: state.calls, cut: state.finish === 'length', usage: state.usage };
}

/** Adds a chunk's part to what came before. Returns its number of characters. */
function join(state: { text: string; calls: ToolCall[] }, places: Map<number, ToolCall>, part: z.infer<typeof delta> | null | undefined) {
  let length = (part?.content ?? '').length + (part?.reasoning_content ?? part?.reasoning ?? '').length;
  state.text += part?.content ?? '';
  for (const { index, id, function: called } of part?.tool_calls ?? []) {
    const place = index ?? 0;
    const name = called?.name ?? '';
    const written = typeof called?.arguments === 'object' ? JSON.stringify(called.arguments ?? '') : (called?.arguments ?? '');
    const known = places.get(place);
    const call = known && !isAnother(known, id ?? '', name) ? known : { id: '', name: '', arguments: '' };
    if (call !== known) {
      places.set(place, call);
      state.calls.push(call);
    }
    call.id ||= id ?? '';
    if (name !== call.name) call.name += name;
    call.arguments += written;
    length += name.length + written.length;
  }
  return length;
}

/** Whether a part starts another call than the one at its index. Ollama sends whole calls, all with the same index. */
const isAnother = (known: ToolCall, id: string, name: string): boolean =>
  (id !== '' && known.id !== '' && id !== known.id) || (name !== '' && known.name !== '' && isJson(known.arguments));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Yields a body as one event. */
async function* wholeOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  yield await textOf(body, 1_000_000);
}

/** Reads a body as text. Throws if it has more than `max` bytes. */
export async function textOf(body: AsyncIterable<Uint8Array>, max: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    if (size > max) throw new CompletionError('the answer is too large', false);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString();
}

function readChunk(event: string): z.infer<typeof chunk> {
  let read: z.infer<typeof chunk>;
  try {
    read = chunk.parse(JSON.parse(event));
  } catch {
    throw new CompletionError('a piece of the answer could not be read', true, FIRST_WAIT);
  }
  if (read.error) throw new CompletionError("the model's server broke off with an error", true, FIRST_WAIT);
  return read;
}
