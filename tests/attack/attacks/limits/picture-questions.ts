import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { connect, questionOf, send } from '#tests/support/server/realtime.ts';

const ATTACKERS = 6;
const QUESTIONS = 15;

/** A picture of noise: slow to read, and free because it has no chart. */
async function noise(random: () => number): Promise<Buffer> {
  const side = 1_400;
  const pixels = Buffer.from(Array.from({ length: side * side }, () => Math.floor(random() * 256)));
  return sharp(pixels, { raw: { width: side, height: side, channels: 1 } })
    .png()
    .toBuffer();
}

export const pictureQuestions: Attack = {
  name: 'picture questions of 6 free accounts',
  async run({ client, attackers, random, signal }) {
    const picture = await noise(random);
    let [tries, taken] = [0, 0];
    const refusals = new Map<string, number>();
    await Promise.all(
      attackers.slice(0, ATTACKERS).map(async ({ userId, accessToken }, index) => {
        const from = addressIn(index, 1);
        const form = new FormData();
        const image = randomUUID();
        form.append('id', image);
        form.append('image', new File([new Uint8Array(picture)], 'a.png', { type: 'image/png' }));
        // A busy server answers with a time to retry.
        for (let attempt = 0; attempt < 10 && !signal.aborted; attempt++) {
          const { status } = await client.call('/api/chat/images', { body: form, token: accessToken, from });
          if (status === 201) break;
          await pause(500);
        }
        const socket = await connect(client.url, accessToken, { 'x-forwarded-for': from });
        for (let question = 0; question < QUESTIONS && !signal.aborted; question++) {
          tries += 1;
          const ack = await send(socket, questionOf(userId, { chat_image: image, message: 'What does this chart say?' })).catch(
            () => undefined,
          );
          if (ack && 'chat' in ack) taken += 1;
          else if (ack) refusals.set(ack.error.code, (refusals.get(ack.error.code) ?? 0) + 1);
        }
        // The server works on the answers while the victims ask.
        await pause(8_000, undefined, { signal }).catch(() => undefined);
        socket.disconnect();
      }),
    );
    const why = [...refusals].map(([code, times]) => `${times} × ${code}`).join(', ');
    return { tries, isHeld: taken > 0, evidence: `${taken} questions taken${why && `, ${why}`}` };
  },
};
