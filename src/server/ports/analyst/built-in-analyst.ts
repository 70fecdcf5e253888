import type { ChartReading } from '#contract/chat/chart-reading.ts';
import { answerQuestion, coinsNamed, titleOfQuestion } from '#domain/analyst/answer-question.ts';
import { RISK } from '#domain/analyst/answers/stamp.ts';
import { moveFigures } from '#domain/analyst/answers/told.ts';
import { describeReading, marksOf } from '#domain/chart-reading/describe-reading.ts';
import { isRead } from '#domain/chart-reading/is-read.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { MarketData } from '../market-data/market-data.ts';
import type { Analyst, Context, Picture, Reply } from './analyst.ts';
import { marketFigures } from './market-figures.ts';

interface Parts {
  market: MarketData;
  /** Reads the perpetual future of BTC; undefined where the exchange gives no figures of it. */
  perpetual?: Exchange['perpetual'];
  /** Rejects for an unreadable picture. */
  readPicture: (picture: Picture, signal: AbortSignal) => Promise<ChartReading>;
}

/** It costs nothing, so it need not know who asks. */
interface BuiltInAnalyst extends Analyst {
  answer(question: string, context: Omit<Context, 'userId'>): Promise<Reply>;
}

/** Creates the analyst without a language model: rules that answer from market figures and chart pixels. */
export function createBuiltInAnalyst({ market, perpetual, readPicture }: Parts): BuiltInAnalyst {
  const figures = marketFigures(market, perpetual);

  /** Describes the picture, then adds figures of the coins in the question. A picture that is not read is free. */
  async function answerPicture(question: string, reading: ChartReading): Promise<Reply> {
    const description = describeReading(reading);
    if (!isRead(reading)) return { text: description, free: true };
    const marks = marksOf(reading);
    const coins = await coinsNamed(question, market.known());
    if (coins.length === 0) return { text: `${description}\n\n${RISK}`, marks };
    const named = await answerQuestion(coins.map(({ name }) => name).join(' and '), [], figures);
    const before = `${description}\n\n`;
    return { coins: named.coins, text: before + named.text, figures: moveFigures(named.figures, before.length), marks };
  }

  return {
    kind: 'built-in',
    async answer(question, { history, picture, own, signal }) {
      if (picture) return answerPicture(question, await readPicture(picture, signal));
      const earlier = history.map((turn) => turn.question);
      const { text, coins, choices, action, figures: found } = await answerQuestion(question, earlier, figures, own);
      return { text, coins, choices, action, figures: found };
    },
    title: (question) => titleOfQuestion(question, market.known()),
  };
}
