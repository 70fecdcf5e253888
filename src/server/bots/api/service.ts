import { createBotCreation } from './create.ts';
import { createBotDeletion } from './delete.ts';
import { createBotChart } from './history/chart.ts';
import { createTradeHistory } from './history/trade-history.ts';
import { createBotReads } from './read.ts';
import type { ServiceParts } from './service-parts.ts';
import { createBotStartStop } from './start-stop.ts';
import { createBotUpdates } from './update.ts';

export type BotService = ReturnType<typeof createBotService>;

/** Creates the calls that users make on their bots. The engine then acts at the exchange. */
export function createBotService(parts: ServiceParts) {
  const startStop = createBotStartStop(parts);
  return {
    wake: parts.wake,
    ...createBotReads(parts),
    ...createTradeHistory(parts),
    ...createBotChart(parts),
    ...createBotCreation(parts),
    ...createBotUpdates(parts),
    ...startStop,
    ...createBotDeletion(parts, startStop),
  };
}
