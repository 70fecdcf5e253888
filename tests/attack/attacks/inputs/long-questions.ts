import { CMC_KEY, startCoinMarketCap } from '../../../support/coinmarketcap';
import { connect, questionOf, send } from '../../../support/realtime';
import type { Attack } from '../../attack';
import { addressIn } from '../../client';
import { manyCoins, nameOf } from '../../coins';

const COINS = 20_000;
const LENGTH = 4_000;
const QUESTIONS = 5;

export const longQuestions: Attack = {
  name: `questions of ${LENGTH} characters over ${COINS} coin names`,
  async prepare() {
    const provider = await startCoinMarketCap(manyCoins(COINS), Date.now());
    return { env: { CMC_API_KEY: CMC_KEY, CMC_BASE_URL: provider.url }, close: () => provider.close() };
  },
  async run({ client, attackers, random, signal }) {
    let tries = 0;
    let answered = 0;
    const word = () => nameOf(Math.floor(random() * COINS)).replace(/oin/, 'ojn');
    await Promise.all(
      attackers.slice(0, 6).map(async ({ userId, accessToken }, index) => {
        const socket = await connect(client.url, accessToken, { 'x-forwarded-for': addressIn(index, 1) });
        socket.on('chat_response', () => {
          answered += 1;
        });
        // One conversation: each question is read with those before it.
        const first = questionOf(userId);
        for (let question = 0; question < QUESTIONS && !signal.aborted; question++) {
          let message = 'What about';
          while (message.length < LENGTH - 40) message += ` ${word()}`;
          await send(socket, questionOf(userId, { archive_id: first.archive_id, message })).catch(() => undefined);
          tries += 1;
        }
        for (let waited = 0; waited < 100 && answered < tries && !signal.aborted; waited++)
          await new Promise((done) => setTimeout(done, 100));
        socket.disconnect();
      }),
    );
    return { tries, isHeld: tries > 0 && answered === tries, evidence: `${answered} of ${tries} answered` };
  },
};
