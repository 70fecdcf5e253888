import { TOOL_DEFINITIONS } from './tools.ts';
import type { Message } from './wire.ts';

/** A step after the question: the model called tools, or was corrected. */
export type Step = { said: Message; reply: Message } | { said: Message; results: Result[]; isText: boolean };

/** What a tool answered to the call with this id. */
interface Result {
  id: string;
  json: string;
}

export interface Conversation {
  system: string;
  /** Earlier turns, oldest first: a question and its answer each. */
  history: readonly Message[][];
  question: Message;
  steps: Step[];
  /** The request defines the tools beside its messages. */
  hasTools: boolean;
}

/** Tokens that a message needs beside its text. */
const FRAME = 8;
/** Tokens of a picture; endpoints count from 85 to about 2,800. */
const PICTURE = 2_000;
/** Share of the context that the answer may take. */
const ANSWER_SHARE = 0.25;
const MAX_ANSWER = 1_200;
const CUT = ' … (cut, the rest has no room)';

/** The question does not fit the model's context. */
class NoRoom extends Error {}

/**
 * Estimates the tokens of a text from above: one for three letters or spaces, and one for each digit, sign and byte beyond ASCII, as
 * the vocabularies of small models have them.
 */
function tokensOf(text: string): number {
  let letters = 0;
  let others = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 32) letters += 1;
    else if (code < 128) others += 1;
    else others += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return Math.ceil(letters / 3) + others;
}

/** Estimates the tokens of a message, from above. */
function tokensOfMessage(message: Message): number {
  const { content } = message;
  const calls = 'tool_calls' in message ? tokensOf(JSON.stringify(message.tool_calls)) : 0;
  if (typeof content === 'string' || content === null) return FRAME + tokensOf(content ?? '') + calls;
  return content.reduce((sum, part) => sum + (part.type === 'text' ? tokensOf(part.text) : PICTURE), FRAME);
}

const TOOLS = tokensOf(JSON.stringify(TOOL_DEFINITIONS));

/** Estimates the tokens of a request, from above. */
export const tokensOfRequest = (messages: readonly Message[], hasTools: boolean): number => sumOf(messages) + (hasTools ? TOOLS : 0);

/** Returns the tokens that an answer may have. */
export const answerRoom = (context: number): number => Math.min(MAX_ANSWER, Math.floor(context * ANSWER_SHARE));

/**
 * Returns the messages of a conversation that fit a context of so many tokens: results of tools are cut to equal shares, and the
 * oldest turns go. The question is never cut: throws NoRoom where it does not fit.
 */
export function fitMessages({ system, history, question, steps, hasTools }: Conversation, context: number): Message[] {
  const first: Message = { role: 'system', content: system };
  const results = steps.flatMap((step) => ('results' in step ? step.results : []));
  const fixed = [first, question, ...steps.flatMap((step) => ('reply' in step ? [step.said, step.reply] : [step.said]))];
  let room = context - answerRoom(context) - (hasTools ? TOOLS : 0) - sumOf(fixed) - results.length * 2 * FRAME;
  if (room < 0) throw new NoRoom('The question does not fit the context of the model');
  const cut = new Map<Result, string>();
  const bySize = results.map((result) => ({ result, size: tokensOf(result.json) })).sort((a, b) => a.size - b.size);
  for (const [index, { result, size }] of bySize.entries()) {
    const share = Math.floor(room / (bySize.length - index));
    const fitting = size <= share ? result.json : cutTo(result.json, share);
    cut.set(result, fitting);
    room -= tokensOf(fitting);
  }
  const turns: Message[][] = [];
  for (const turn of [...history].reverse()) {
    room -= sumOf(turn);
    if (room < 0) break;
    turns.unshift(turn);
  }
  return [first, ...turns.flat(), question, ...steps.flatMap((step) => messagesOf(step, cut))];
}

const sumOf = (messages: readonly Message[]): number => messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);

/** Cuts JSON to so many tokens, at a comma, so that no number is left with some of its digits. */
function cutTo(json: string, tokens: number): string {
  let length = Math.min(json.length, Math.max(0, tokens - tokensOf(CUT)) * 3);
  while (length > 0 && tokensOf(json.slice(0, length)) > tokens - tokensOf(CUT)) length = Math.floor(length * 0.9);
  return json.slice(0, Math.max(0, json.lastIndexOf(',', length - 1))) + CUT;
}

/** A model that called tools in its text gets the results as text too, in one message, as its template may know no other. */
function messagesOf(step: Step, cut: ReadonlyMap<Result, string>): Message[] {
  if ('reply' in step) return [step.said, step.reply];
  const { said, results, isText } = step;
  const read = results.map((result) => ({ id: result.id, content: cut.get(result) ?? '' }));
  if (!isText) return [said, ...read.map(({ id, content }): Message => ({ role: 'tool', tool_call_id: id, content }))];
  return [said, { role: 'user', content: read.map(({ content }) => `<tool_response>\n${content}\n</tool_response>`).join('\n') }];
}
