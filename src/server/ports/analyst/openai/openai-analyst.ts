import type { ChartReading } from '#contract/chat/chart-reading.ts';
import { plain } from '#domain/analyst/answers/format.ts';
import { ending } from '#domain/analyst/answers/stamp.ts';
import { takeFigures, withoutMarks } from '#domain/analyst/answers/told.ts';
import { prepareAliasIndex } from '#domain/analyst/coins/aliases.ts';
import { findCoins } from '#domain/analyst/coins/finder.ts';
import { describeReading, marksOf } from '#domain/chart-reading/describe-reading.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import type { Analyst, Picture } from '../analyst.ts';
import type { Reserve } from '../costs.ts';
import type { Endpoint } from './completion.ts';
import { createConverse } from './converse.ts';
import { tieFigures } from './figures.ts';
import { earlierTurns, questionMessage } from './prompt.ts';
import type { ToolFigure } from './tools.ts';

const CARDS = 4;

interface Parts {
  endpoint: Endpoint;
  /** Reserves what a request can cost. */
  reserve: Reserve;
  market: MarketData;
  /** Reads a picture. Rejects for an unreadable one. */
  readPicture: (picture: Picture, signal: AbortSignal) => Promise<ChartReading>;
}

/**
 * Creates an analyst on a language model at an OpenAI-compatible endpoint. The model looks up figures with read-only tools.
 * An answer with an invented amount is requested once more, then refused. Rejects if there is no valid answer.
 */
export function createOpenAiAnalyst({ endpoint, reserve, market, readPicture }: Parts): Omit<Analyst, 'title'> {
  const converse = createConverse(endpoint, market);
  return {
    kind: 'model',
    async answer(question, { userId, history, picture, signal }) {
      const data = picture && (await readPicture(picture, signal));
      const reading = data && { description: describeReading(data), data: { ...data, candles: data.candles.slice(-60) } };
      const given = [question, ...history.flatMap((turn) => [turn.question, turn.answer]), JSON.stringify(reading ?? '')];
      const known: ToolFigure[] = [];
      const asked = { history: earlierTurns(history), question: questionMessage({ question, picture, reading }) };
      const said = await converse(asked, { given, known }, { signal, reserve: (most) => reserve(userId, most) });
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
}
