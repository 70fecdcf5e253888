import { randomInt } from 'node:crypto';
import type { Attack, AttackContext, Outcome } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { HOLDERS } from '#tests/attack/instance.ts';

/** A network has 30 tries a day, each right once in 10,000. */
const MAX_JUDGED = 30;
const GUESSES_AN_ACCOUNT = 5;
const QUICK_ACCOUNTS = 30;
const AT_ONCE = 8;
/** Error codes once the server stops checking codes of this network. */
const SPENT = 'Codes are off for now';

/** Tries one guess at many accounts from many hosts of one /64. Counts the guesses the server checked. */
export async function guess(
  { isQuick, signal }: AttackContext,
  mostJudged: number,
  tryAt: (email: string, from: string) => Promise<{ tries: number; judged: number; taken: number }>,
): Promise<Outcome> {
  const accounts = isQuick ? QUICK_ACCOUNTS : HOLDERS;
  let [next, tries, judged, taken] = [0, 0, 0, 0];
  async function work(): Promise<void> {
    while (next < accounts && !signal.aborted) {
      const account = next++;
      const result = await tryAt(`holder-${account}@example.com`, addressIn(1, account));
      tries += result.tries;
      judged += result.judged;
      taken += result.taken;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return {
    tries,
    isHeld: judged > 0 && judged <= mostJudged && taken === 0,
    evidence: `${judged} guesses judged over ${next} accounts, ${taken} accounts taken`,
  };
}

export const guessCodes: Attack = {
  name: 'codes guessed over many accounts from one /64',
  run: (context) =>
    guess(context, MAX_JUDGED, async (email, from) => {
      const { client } = context;
      await client.call('/api/auth/forgot-password/', { body: { email }, from });
      let judged = 0;
      for (let attempt = 1; attempt <= GUESSES_AN_ACCOUNT && !context.signal.aborted; attempt++) {
        const recoveryCode = String(randomInt(10_000)).padStart(4, '0');
        const { status, text } = await client.call('/api/auth/verify-recovery-code/', { body: { email, recoveryCode }, from });
        if (status === 200) return { tries: attempt, judged: judged + 1, taken: 1 };
        if (status !== 400 || text.includes(SPENT)) return { tries: attempt, judged, taken: 0 };
        judged += 1;
      }
      return { tries: GUESSES_AN_ACCOUNT, judged, taken: 0 };
    }),
};
