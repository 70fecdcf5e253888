import { randomUUID } from 'node:crypto';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';

/** The limit is 16 megapixels. */
const TOO_LARGE = { width: 10_000, height: 5_000 };
const LARGEST = { width: 4_000, height: 4_000 };
const ROUNDS = 4;

export const largePictures: Attack = {
  name: 'pictures of 50 megapixels',
  async run({ client, attackers, isQuick, signal }) {
    const [bomb, large] = [blackPng(TOO_LARGE.width, TOO_LARGE.height), blackPng(LARGEST.width, LARGEST.height)];
    const statuses = new Map<number, number>();
    let [tries, accepted, failed] = [0, 0, 0];
    const file = (bytes: Buffer) => new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' });
    async function send(index: number, bytes: Buffer, to: 'chat' | 'profile' | 'contact'): Promise<void> {
      const { userId = '', email = '', accessToken: token = '' } = attackers[index] ?? {};
      const form = new FormData();
      if (to === 'chat') form.append('id', randomUUID());
      else form.append('user_id', userId);
      if (to === 'contact') for (const [name, value] of Object.entries({ name: 'Ada', email, message: 'Hello' })) form.append(name, value);
      form.append({ chat: 'image', profile: 'profile_picture', contact: 'files' }[to], file(bytes));
      const path = { chat: '/api/chat/images', profile: `/api/auth/user/${userId}`, contact: '/api/contact-us/send-message' }[to];
      const { status } = await client.call(path, {
        method: to === 'profile' ? 'PATCH' : 'POST',
        body: form,
        token,
        from: addressIn(index, 1),
      });
      tries += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 0 || (status >= 500 && status !== 503)) failed += 1;
      if (bytes === bomb && status < 400) accepted += 1;
    }
    for (let round = 0; round < (isQuick ? 1 : ROUNDS) && !signal.aborted; round++) {
      const sent = attackers
        .slice(0, 6)
        .flatMap((_, index) => [
          send(index, bomb, 'chat'),
          send(index, bomb, 'profile'),
          send(index, bomb, 'contact'),
          send(index, large, 'chat'),
          send(index, large, 'chat'),
        ]);
      await Promise.all(sent);
    }
    const answers = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
    return { tries, isHeld: accepted === 0 && failed === 0, evidence: `${accepted} of 50 megapixels accepted; ${answers}` };
  },
};
