import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { manyCoins, nameOf } from '#tests/attack/coins.ts';
import { startCoinMarketCap } from '#tests/support/market/coinmarketcap.ts';
import { CMC_KEY } from '#tests/support/market/coinmarketcap-answers.ts';
import { connect, questionOf, send } from '#tests/support/server/realtime.ts';

const COINS = 20_000;
const LENGTH = 4_000;
/** Duration of the attack, ms: a p99 needs at least a hundred reads. */
const DURATION = 10_000;

export const longQuestions: Attack = {
  name: `questions of ${LENGTH} characters over ${COINS} coin names`,
  async prepare() {
    const provider = await startCoinMarketCap(manyCoins(COINS), Date.now());
    return { env: { MARKET: 'coinmarketcap', CMC_API_KEY: CMC_KEY, CMC_BASE_URL: provider.url }, close: () => provider.close() };
  },
  async run({ client, attackers, random, signal }) {
    let tries = 0;
    let taken = 0;
    let answered = 0;
    const word = () => nameOf(Math.floor(random() * COINS)).replace(/oin/, 'ojn');
    await Promise.all(
      attackers.slice(0, 2).map(async ({ userId, accessToken }) => {
        const socket = await connect(client.url, accessToken, { 'x-forwarded-for': addressIn(0, 1) });
        // The answer about a spent allowance has no message in it.
        socket.on('chat_response', ({ chat }) => {
          if (chat) answered += 1;
        });
        // One conversation, because each question is read with the ones before it.
        const first = questionOf(userId);
        for (const end = Date.now() + DURATION; Date.now() < end && !signal.aborted; ) {
          let message = 'What about';
          while (message.length < LENGTH - 40) message += ` ${word()}`;
          const ack = await send(socket, questionOf(userId, { archive_id: first.archive_id, message })).catch(() => undefined);
          tries += 1;
          if (ack && 'chat' in ack) taken += 1;
          await pause(50);
        }
        for (let waited = 0; waited < 100 && answered < taken && !signal.aborted; waited++) await pause(100);
        socket.disconnect();
      }),
    );
    return { tries, isHeld: taken > 0 && answered === taken, evidence: `${taken} taken, ${answered} answered` };
  },
};
