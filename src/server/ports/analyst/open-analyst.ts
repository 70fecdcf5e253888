import type { Config } from '#server/config.ts';
import type { PictureReader } from '#server/pictures/picture-reader.ts';
import type { MarketData } from '../market-data/market-data.ts';
import type { Analyst } from './analyst.ts';
import { createBuiltInAnalyst } from './built-in-analyst.ts';
import { createOpenAiAnalyst } from './openai/openai-analyst.ts';
import { withStandIn } from './with-stand-in.ts';

/** Of the minute that an answer may take, this is the model's, ms: the built-in analyst may have to answer after it. */
const PATIENCE = 45_000;
const BETWEEN_PIECES = 15_000;

interface Parts {
  market: MarketData;
  readPicture: PictureReader['read'];
  report: (error: unknown) => void;
}

/** The analyst that the settings ask for. */
export function openAnalyst({ ai }: Pick<Config, 'ai'>, { market, readPicture, report }: Parts): Analyst {
  const builtIn = createBuiltInAnalyst({ market, readPicture });
  if (!ai) return builtIn;
  const model = createOpenAiAnalyst({ endpoint: { ...ai, patience: BETWEEN_PIECES }, market, readPicture });
  return withStandIn({ model, builtIn, patience: PATIENCE, report });
}
