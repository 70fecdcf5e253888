import type { Attack } from '#tests/attack/attack.ts';
import { guess } from './guess-codes.ts';

/** Allowed wrong passwords of one network a day. */
const MAX_JUDGED = 100;
const PASSWORDS = ['Password1', 'Bitcoin2024!'];

export const guessPasswords: Attack = {
  name: 'passwords guessed over many accounts from one /64',
  run: (context) =>
    guess(context, MAX_JUDGED, async (email, from) => {
      let judged = 0;
      for (const password of PASSWORDS) {
        const { status } = await context.client.call('/api/auth/login/', { body: { email, password }, from });
        if (status === 200) return { tries: judged + 1, judged: judged + 1, taken: 1 };
        if (status === 429 || status === 0) return { tries: judged + 1, judged, taken: 0 };
        judged += 1;
      }
      return { tries: PASSWORDS.length, judged, taken: 0 };
    }),
};
