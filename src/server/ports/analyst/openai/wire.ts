import type { Tokens } from '../costs.ts';

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
  /** What the endpoint counted; undefined where it does not. */
  usage: Tokens | undefined;
}

/** The completion failed. With `again`, a retry after `wait` ms may succeed. */
export class CompletionError extends Error {
  constructor(
    message: string,
    readonly again: boolean,
    readonly wait = 0,
  ) {
    super(message);
  }
}

/** The endpoint takes no tools for this model. */
export class ToolsRefused extends CompletionError {}

/** The request has more tokens than the model's context. */
export class ContextExceeded extends CompletionError {
  constructor(
    message: string,
    /** Tokens of the context, if the endpoint named them. */
    readonly limit: number | undefined,
  ) {
    super(message, false);
  }
}

/** Wait before a request is sent once more, ms. */
export const FIRST_WAIT = 500;
