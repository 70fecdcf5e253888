import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { type CompletionRequest, createCompletions, type Endpoint } from './completion.ts';
import { inventedFigures } from './figures.ts';
import { answerRoom, type Conversation, fitMessages, type Step, tokensOfRequest } from './fit.ts';
import { givesAway, INSTRUCTIONS, TOOLS_IN_WORDS } from './prompt.ts';
import { hasCallMark, toolCallsIn, withoutThoughts } from './text-calls.ts';
import { refused, runTool, TOOL_DEFINITIONS, type ToolFigure } from './tools.ts';
import { type Completion, ContextExceeded, type ToolCall, ToolsRefused } from './wire.ts';

const TOOL_ROUNDS = 4;
const TOOLS_A_ROUND = 4;
const TOOL_NAMES = TOOL_DEFINITIONS.map((definition) => definition.function.name);
/** Context that models are taken to have until an endpoint refuses a request as too long, in tokens. */
const WIDE = 1_000_000;
/** Smallest context that is learned from refusals, in tokens. */
const NARROW = 2_048;
/** Requests that an answer repeats because the endpoint takes no tools or so many tokens. */
const MAX_ADAPTIONS = 4;

type Asked = Pick<Conversation, 'history' | 'question'>;

/** Who waits for the answer and pays for it. */
type Asking = Pick<CompletionRequest, 'signal' | 'reserve'>;

/** What the model was told. */
interface Told {
  /** Texts that its figures may come from. */
  given: string[];
  /** The figures of its tool calls. */
  known: ToolFigure[];
}

/**
 * Returns a function that asks the model a question, runs its tool calls until it answers, and collects what its figures may come
 * from. Remembers whether the endpoint takes tools, and how long its context is.
 */
export function createConverse(endpoint: Endpoint, market: MarketData) {
  const complete = createCompletions(endpoint);
  let takesTools = true;
  let context = endpoint.context ?? WIDE;

  /** Requests the next completion of a conversation, again where the endpoint refuses tools or the length. */
  async function request(conversation: Omit<Conversation, 'system' | 'hasTools'>, isLast: boolean, asking: Asking): Promise<Completion> {
    for (let adaptions = 0; ; adaptions++) {
      const system = takesTools || isLast ? INSTRUCTIONS : `${INSTRUCTIONS}\n${TOOLS_IN_WORDS}`;
      const hasTools = takesTools && !isLast;
      const messages = fitMessages({ ...conversation, system, hasTools }, context);
      const maxTokens = answerRoom(context);
      const inputTokens = tokensOfRequest(messages, hasTools);
      try {
        return await complete({ messages, tools: hasTools ? TOOL_DEFINITIONS : [], inputTokens, maxTokens, ...asking });
      } catch (error) {
        if (adaptions === MAX_ADAPTIONS) throw error;
        if (error instanceof ToolsRefused && takesTools) takesTools = false;
        else if (error instanceof ContextExceeded) {
          const next = Math.max(NARROW, Math.min(error.limit ?? context, context - 1, Math.floor((inputTokens + maxTokens) * 0.75)));
          if (next >= context) throw error;
          context = next;
        } else throw error;
      }
    }
  }

  return async function converse(asked: Asked, told: Told, asking: Asking): Promise<Completion> {
    const steps: Step[] = [];
    let corrected = false;
    for (let round = 0; round <= TOOL_ROUNDS; round++) {
      const isLast = round === TOOL_ROUNDS;
      const received = await request({ ...asked, steps }, isLast, asking);
      const completion = { ...received, text: withoutThoughts(received.text) };
      const { text, toolCalls } = completion;
      const calls = toolCalls.length > 0 ? toolCalls : toolCallsIn(text, TOOL_NAMES);
      if (calls.length > 0 && !isLast) {
        steps.push(await runCalls(market, completion, calls, told));
        continue;
      }
      if (!text.trim()) throw new Error('The model answered nothing');
      if (calls.length > 0 || hasCallMark(text)) throw new Error('The model kept looking things up');
      if (givesAway(text, endpoint.key)) throw new Error('The model gave away what it was told');
      const invented = inventedFigures(text, told.given);
      if (invented.length === 0) return completion;
      if (corrected) throw new Error('The model states figures it was not told');
      corrected = true;
      steps.push({
        said: { role: 'assistant', content: text },
        reply: {
          role: 'user',
          content: `These figures are in no tool result: ${invented.slice(0, 10).join(', ')}. Look them up, or answer without them.`,
        },
      });
    }
    throw new Error('The model kept looking things up');
  };
}

/** Runs a completion's tool calls. */
async function runCalls(market: MarketData, completion: Completion, calls: readonly ToolCall[], { given, known }: Told): Promise<Step> {
  const ids = new Set<string>();
  const results = [];
  for (const [index, call] of calls.entries()) {
    const { json, figures } = index < TOOLS_A_ROUND ? await runTool(market, call.name, call.arguments) : refused('Too many at once.');
    given.push(json);
    known.push(...figures);
    // Some runners send no ids, or the same one for all.
    const id = call.id && !ids.has(call.id) ? call.id : `call_${index}`;
    ids.add(id);
    results.push({ id, json });
  }
  const isText = completion.toolCalls.length === 0;
  if (isText) return { said: { role: 'assistant', content: completion.text }, results, isText };
  const wire = results.map(({ id }, index) => ({
    id,
    type: 'function' as const,
    function: { name: calls[index]?.name ?? '', arguments: calls[index]?.arguments ?? '' },
  }));
  return { said: { role: 'assistant', content: completion.text || null, tool_calls: wire }, results, isText };
}
