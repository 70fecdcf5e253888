import { HOUR } from '#domain/clock.ts';
import { createOkx } from '#server/ports/exchange/okx/okx.ts';
import { freeBudget } from '../bybit/free-budget.ts';
import type { Stage } from '../bybit/rig.ts';
import { type OkxServer, startOkx } from './okx-server.ts';

/** Opens the fake OKX with the real adapter. Tests share both, each with its own account, clock and price. */
export async function openOkxStage(): Promise<Stage<OkxServer>> {
  const scene = { now: () => 0, drift: 0, price: 0 };
  const failures: unknown[] = [];
  const server = await startOkx({ now: () => scene.now() + scene.drift, price: () => scene.price });
  const partner = server.open('partner');
  const exchange = createOkx({
    demo: false,
    url: server.url,
    affiliate: partner,
    clock: () => scene.now(),
    budget: freeBudget,
    interval: HOUR,
    report: (error) => void failures.push(error),
    patience: { answer: 6000, limit: 300 },
  });
  return {
    scene,
    server: {
      ...server,
      open(...given) {
        const key = server.open(...given);
        server.introduce(partner, key);
        return key;
      },
    },
    exchange,
    failures,
    async close() {
      await exchange.close();
      await server.close();
    },
  };
}
