import type { ChartReading } from '#contract/chat/chart-reading.ts';
import { plain } from '#domain/analyst/answers/format.ts';
import { ending } from '#domain/analyst/answers/stamp.ts';
import { takeFigures, withoutMarks } from '#domain/analyst/answers/told.ts';
import { prepareAliasIndex } from '#domain/analyst/coins/aliases.ts';
import { findCoins } from '#domain/analyst/coins/finder.ts';
import { describeReading, marksOf } from '#domain/chart-reading/describe-reading.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import type { Analyst, Picture } from '../analyst.ts';
import { type Completion, complete, type Endpoint, type Message } from './completion.ts';
import { inventedFigures, tieFigures } from './figures.ts';
import { givesAway, messagesFor } from './prompt.ts';
import { refused, runTool, TOOL_DEFINITIONS, type ToolFigure } from './tools.ts';

const TOOL_ROUNDS = 4;
const TOOLS_A_ROUND = 4;
const MAX_TOKENS = 1200;
const CARDS = 4;

interface Parts {
  endpoint: Endpoint;
  market: MarketData;
  /** Reads a picture. Rejects for an unreadable one. */
  readPicture: (picture: Picture, signal: AbortSignal) => Promise<ChartReading>;
}

/** What the model was told. */
interface Told {
  /** Texts that its figures may come from. */
  given: string[];
  /** The figures of its tool calls. */
  known: ToolFigure[];
}

/**
 * Creates an analyst on a language model at an OpenAI-compatible endpoint. The model looks up figures with read-only tools.
 * An answer with an invented amount is requested once more, then refused. Rejects if there is no valid answer.
 */
export function createOpenAiAnalyst({ endpoint, market, readPicture }: Parts): Omit<Analyst, 'title'> {
  return {
    kind: 'model',
    async answer(question, context) {
      const data = context.picture && (await readPicture(context.picture, context.signal));
      const reading = data && { description: describeReading(data), data: { ...data, candles: data.candles.slice(-60) } };
      const given = [question, ...context.history.flatMap((turn) => [turn.question, turn.answer]), JSON.stringify(reading ?? '')];
      const known: ToolFigure[] = [];
      const said = await converse(messagesFor({ question, context, reading }), { given, known }, context.signal);
      const { source } = await market.snapshot();
      const usual = { name: plain(source.name), asOf: source.asOf };
      const { text, figures } = takeFigures(tieFigures(withoutMarks(said.text).trim(), known), usual);
      const coins = await market.searchMap();
      await prepareAliasIndex(coins);
      const { mentions } = findCoins(`${question}\n${text}`, coins);
      return {
        text: [text, ...(said.cut ? ['The answer was cut off at its longest.'] : []), ending(source)].join('\n\n'),
        figures,
        ...(data && { marks: marksOf(data) }),
        coins: [...new Set(mentions.map(({ coin }) => coin.id))].slice(0, CARDS),
      };
    },
  };

  /** Runs the model's tool calls until it answers. Collects what its figures may come from. */
  async function converse(messages: Message[], { given: sources, known }: Told, signal: AbortSignal): Promise<Completion> {
    let corrected = false;
    for (let round = 0; round <= TOOL_ROUNDS; round++) {
      const tools = round < TOOL_ROUNDS ? TOOL_DEFINITIONS : [];
      const completion = await complete(endpoint, { messages, tools, maxTokens: MAX_TOKENS, signal });
      const { text, toolCalls } = completion;
      if (toolCalls.length > 0 && tools.length > 0) {
        messages.push({
          role: 'assistant',
          content: text || null,
          tool_calls: toolCalls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.arguments },
          })),
        });
        for (const [index, call] of toolCalls.entries()) {
          const { json, figures } = index < TOOLS_A_ROUND ? await runTool(market, call.name, call.arguments) : refused('Too many at once.');
          sources.push(json);
          known.push(...figures);
          messages.push({ role: 'tool', tool_call_id: call.id, content: json });
        }
        continue;
      }
      if (!text.trim()) throw new Error('The model answered nothing');
      if (givesAway(text, endpoint.key)) throw new Error('The model gave away what it was told');
      const invented = inventedFigures(text, sources);
      if (invented.length === 0) return completion;
      if (corrected) throw new Error('The model states figures it was not told');
      corrected = true;
      messages.push(
        { role: 'assistant', content: text },
        {
          role: 'user',
          content: `These figures are in no tool result: ${invented.slice(0, 10).join(', ')}. Look them up, or answer without them.`,
        },
      );
    }
    throw new Error('The model kept looking things up');
  }
}
