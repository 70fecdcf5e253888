import type { Budgets } from '#server/budgets.ts';
import type { Config } from '#server/config.ts';
import type { PictureReader } from '#server/pictures/picture-reader.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { MarketData } from '../market-data/market-data.ts';
import type { Analyst } from './analyst.ts';
import { createBuiltInAnalyst } from './built-in-analyst.ts';
import { createCosts } from './costs.ts';
import { createOpenAiAnalyst } from './openai/openai-analyst.ts';
import { withStandIn } from './with-stand-in.ts';

/** The model's share of the answer's one-minute limit, ms. The rest is for the built-in analyst as a fallback. */
const MODEL_TIMEOUT_MS = 45_000;
/** How long the model may be without a token before the built-in analyst answers, ms. */
const PATIENCE_MS = 10_000;

interface Parts {
  market: MarketData;
  perpetual?: Exchange['perpetual'];
  budgets: Budgets;
  readPicture: PictureReader['read'];
  report: (error: unknown) => void;
}

/** Opens the analyst that the settings select. */
export function openAnalyst({ ai }: Pick<Config, 'ai'>, { market, perpetual, budgets, readPicture, report }: Parts): Analyst {
  const builtIn = createBuiltInAnalyst({ market, perpetual, readPicture });
  if (!ai) return builtIn;
  const { prices, dailyBudget, ...endpoint } = ai;
  const reserve = createCosts({ budgets, prices, dailyBudget, report });
  const model = createOpenAiAnalyst({ endpoint: { ...endpoint, patience: PATIENCE_MS }, reserve, market, readPicture });
  return withStandIn({ model, builtIn, patience: MODEL_TIMEOUT_MS, report });
}
