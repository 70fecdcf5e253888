import type { Config } from '../../config';
import type { PictureReader } from '../../pictures/picture-reader';
import type { MarketData } from '../market-data/market-data';
import type { Analyst } from './analyst';
import { createBuiltInAnalyst } from './built-in-analyst';
import { createOpenAiAnalyst } from './openai/openai-analyst';
import { withStandIn } from './with-stand-in';

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
