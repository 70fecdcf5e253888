import { setTimeout as pause } from 'node:timers/promises';
import { PLANS } from '#domain/plans/plans.ts';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { hang, type ModelServer, say, startModelServer } from '#tests/support/chat/openai.ts';
import { connect, questionOf, send } from '#tests/support/server/realtime.ts';

const TRIES = 2 * PLANS.FREE.questions;
const WORD = 'unpaid-question';

let model: ModelServer;

export const askThenStop: Attack = {
  name: 'questions that are stopped before their answer',
  async prepare() {
    model = await startModelServer();
    const isAttack = (text: string) => text.includes(WORD);
    model.plays = [
      (response, request) => (isAttack(JSON.stringify(request.body)) ? hang('Half') : say('A short answer.'))(response, request),
    ];
    return { env: { AI_BASE_URL: model.url, AI_MODEL: 'test' }, close: () => model.close() };
  },
  async run({ client, attackers: [attacker], signal }) {
    const { userId = '', accessToken: token = '' } = attacker ?? {};
    const from = addressIn(1, 1);
    const socket = await connect(client.url, token, { 'x-forwarded-for': from });
    let [tries, refused] = [0, 0];
    for (; tries < TRIES && refused === 0 && !signal.aborted; tries++) {
      const question = questionOf(userId, { message: `${WORD}-${tries} about Bitcoin` });
      const ack = await send(socket, question).catch(() => undefined);
      if (ack && 'error' in ack) refused += 1;
      const hasReached = () => model.requests.some(({ body }) => JSON.stringify(body).includes(`${WORD}-${tries} `));
      for (let waited = 0; waited < 40 && refused === 0 && !hasReached(); waited++) await pause(50);
      await client.call(`/api/chat/${question.client_id}/stop`, { method: 'POST', token, from });
    }
    socket.disconnect();
    const reached = new Set(model.requests.flatMap(({ body }) => JSON.stringify(body).match(new RegExp(`${WORD}-\\d+`, 'g')) ?? [])).size;
    return {
      tries,
      isHeld: reached > 0 && reached <= PLANS.FREE.questions,
      evidence: `${reached} questions reached the model, the plan has ${PLANS.FREE.questions}`,
    };
  },
};
