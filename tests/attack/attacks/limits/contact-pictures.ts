import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';

const MB = 1024 * 1024;
const FILES = 5;
/** Quota of one user, MB. */
const QUOTA_MB = 100;
const MESSAGES = 5;

/** Creates an uncompressed PNG of noise, of nearly 8 MB. */
async function largePicture(): Promise<Buffer> {
  const side = 1_650;
  const noise = Buffer.alloc(side * side * 3);
  for (let at = 0, state = 1; at < noise.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    noise[at] = state >>> 24;
  }
  return sharp(noise, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

export const contactPictures: Attack = {
  name: 'messages to support with 5 × 8 MB',
  async run({ client, attackers: [attacker], signal }) {
    const picture = await largePicture();
    let taken = 0;
    const statuses: number[] = [];
    for (let message = 0; message < MESSAGES && !signal.aborted; message++) {
      const form = new FormData();
      for (const [name, value] of Object.entries({
        name: 'Mallory',
        email: attacker?.email ?? '',
        message: `Message ${message}`,
        user_id: attacker?.userId ?? '',
      }))
        form.append(name, value);
      for (let file = 0; file < FILES; file++) {
        // Identical content would be stored once.
        const bytes = Buffer.from(picture);
        bytes.write(randomUUID(), bytes.length / 2);
        form.append('files', new File([new Uint8Array(file === 0 ? picture : bytes)], `${file}.png`, { type: 'image/png' }));
      }
      const { status } = await client.call('/api/contact-us/send-message', {
        body: form,
        token: attacker?.accessToken ?? '',
        from: addressIn(1, 1),
        headers: { 'idempotency-key': randomUUID() },
      });
      statuses.push(status);
      if (status === 200) taken += (FILES * picture.length) / MB;
    }
    return {
      tries: statuses.length,
      isHeld: taken <= QUOTA_MB && statuses.every((status) => status !== 0 && status < 500),
      evidence: `${Math.round(taken)} MB taken, answers ${statuses.join(' ')}`,
    };
  },
};
