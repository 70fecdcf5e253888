import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '#domain/clock.ts';
import { bytesOf } from '#server/ports/bytes-of.ts';
import { retryAfter } from '#server/ports/retry-after.ts';
import type { Settle, Tokens } from '../costs.ts';
import { readCompletion, textOf } from './read-completion.ts';
import { type Completion, CompletionError, ContextExceeded, FIRST_WAIT, type Message, ToolsRefused } from './wire.ts';

export interface Endpoint {
  baseUrl: string;
  /** Undefined where the endpoint needs none, as local runners do. */
  key: string | undefined;
  model: string;
  /** How long the model may be without a token, before the first and between two, ms. */
  patience: number;
  /** Tokens of the model's context; undefined for as many as a question needs. */
  context?: number | undefined;
}

export interface CompletionRequest {
  messages: readonly Message[];
  tools: readonly unknown[];
  /** Estimate of the request's tokens, from above. */
  inputTokens: number;
  /** Maximum number of tokens of the response. */
  maxTokens: number;
  /** Reserves what an attempt can cost. Rejects where the budget does not cover it. */
  reserve: (most: Tokens) => Promise<Settle>;
  signal: AbortSignal;
}

/** Maximum `Retry-After`, ms; a longer one fails at once. */
const LONGEST_WAIT = 3_000;
/** Pause while a runner loads its model, ms. */
const LOADING_WAIT = SECOND;
/** Bytes that are read of a refusal. */
const MAX_REFUSAL = 64_000;

/** A field that this endpoint refused. The request is sent again without it. */
class FieldRefused extends CompletionError {
  constructor(readonly field: string) {
    super(`the model's server refused ${field}`, true);
  }
}

/** The runner is loading its model. */
class Loading extends CompletionError {}

/**
 * Returns a function that requests a completion, with one retry after a transport error, and as many as the endpoint's patience
 * allows while it loads its model. Throws CompletionError or the signal's reason. Remembers which fields the endpoint refuses.
 */
export function createCompletions(endpoint: Endpoint) {
  const refused = new Set<string>();

  return async function complete(request: CompletionRequest): Promise<Completion> {
    const silence = watchSilence(endpoint.patience);
    let retries = 1;
    try {
      for (;;) {
        try {
          return await paidAttempt(endpoint, request, { silence, refused });
        } catch (error) {
          request.signal.throwIfAborted();
          if (!(error instanceof CompletionError) || !error.again || error.wait > LONGEST_WAIT) throw error;
          if (error instanceof FieldRefused && !refused.has(error.field)) refused.add(error.field);
          else if (!(error instanceof Loading) && retries-- === 0) throw error;
          await wait(error.wait, undefined, { signal: AbortSignal.any([request.signal, silence.signal]) }).catch(() => undefined);
          request.signal.throwIfAborted();
          if (silence.signal.aborted) throw error;
        }
      }
    } finally {
      silence.end();
    }
  };
}

interface Silence {
  signal: AbortSignal;
  onToken: () => void;
  end: () => void;
}

/** Returns a signal that aborts after `patience` ms without a token. */
function watchSilence(patience: number): Silence {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new CompletionError(`no token from the model for ${patience} ms`, false));
  let timer = setTimeout(giveUp, patience);
  return {
    signal: controller.signal,
    onToken() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, patience);
    },
    end: () => clearTimeout(timer),
  };
}

interface Attempt {
  silence: Silence;
  refused: ReadonlySet<string>;
}

/** What an endpoint has done for an attempt. */
interface Work {
  /** It has taken the request, or may have when the wait for it ended. */
  isTaken: boolean;
  /** Characters that it has sent. */
  characters: number;
}

/** Characters of a token, estimated from below. */
const CHARACTERS_A_TOKEN = 2;

/** Attempts once, and pays for what the endpoint counts, or for an estimate from above. A refused request is free. */
async function paidAttempt(endpoint: Endpoint, request: CompletionRequest, how: Attempt): Promise<Completion> {
  const { inputTokens: input, maxTokens } = request;
  const settle = await request.reserve({ input, output: maxTokens });
  const work: Work = { isTaken: false, characters: 0 };
  let usage: Tokens | undefined;
  try {
    const completion = await attempt(endpoint, request, { ...how, work });
    usage = completion.usage;
    return completion;
  } finally {
    const output = Math.min(maxTokens, Math.ceil(work.characters / CHARACTERS_A_TOKEN));
    await settle(usage ?? (work.isTaken ? { input, output } : { input: 0, output: 0 }));
  }
}

async function attempt(
  { baseUrl, key, model }: Endpoint,
  request: CompletionRequest,
  { silence, refused, work }: Attempt & { work: Work },
): Promise<Completion> {
  const signal = AbortSignal.any([request.signal, silence.signal]);
  const { messages, tools, maxTokens } = request;
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({
        model,
        messages,
        ...(tools.length > 0 && { tools }),
        [refused.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
        stream: true,
        ...(!refused.has('stream_options') && { stream_options: { include_usage: true } }),
      }),
      redirect: 'error',
      signal,
    });
    if (!response.ok) throw await refusalOf(response, signal);
    work.isTaken = true;
    const onToken = (characters: number): void => {
      work.characters += characters;
      silence.onToken();
    };
    const completion = await readCompletion(response, { signal, onToken });
    request.signal.throwIfAborted();
    return completion;
  } catch (error) {
    if (signal.aborted) work.isTaken = true;
    if (request.signal.aborted) throw request.signal.reason;
    if (signal.aborted) throw signal.reason;
    if (error instanceof CompletionError) throw error;
    // The cause of a fetch error explains it, and contains neither headers nor body.
    const { message, cause } = error as Error;
    throw new CompletionError(`${message}${cause instanceof Error ? `: ${cause.message}` : ''}`, true, FIRST_WAIT);
  }
}

/** Returns what a status and its body say, in the words of OpenAI, Ollama, llama.cpp and those who follow them. */
async function refusalOf(response: Response, signal: AbortSignal): Promise<CompletionError> {
  const { status, headers } = response;
  const text = await textOf(bytesOf(response, signal), MAX_REFUSAL).catch(() => '');
  const said = `the model's server answered ${status}`;
  if (/support (?:tools|function calling)|--jinja/i.test(text)) return new ToolsRefused(said, false);
  if (/context[ _](?:size|length|window)|exceeds? the context/i.test(text)) return new ContextExceeded(said, contextIn(text));
  if (status === 400 || status === 422) {
    if (text.includes('max_completion_tokens')) return new FieldRefused('max_tokens');
    if (text.includes('stream_options')) return new FieldRefused('stream_options');
  }
  const pause = retryAfter(headers, Date.now());
  if (status === 503 && /loading/i.test(text)) return new Loading(said, true, pause ?? LOADING_WAIT);
  return new CompletionError(said, status === 408 || status === 429 || status >= 500, pause ?? FIRST_WAIT);
}

/** Returns the tokens of the context that a refusal names. */
function contextIn(text: string): number | undefined {
  const named = /"n_ctx":\s?(\d{3,8})|context (?:size|length|window)[^\d]{0,20}(\d{3,8})/i.exec(text);
  return named ? Number(named[1] ?? named[2]) : undefined;
}
