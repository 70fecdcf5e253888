import type { Attack } from '#tests/attack/attack.ts';
import { addressIn, type Client } from '#tests/attack/client.ts';

const OWN = 'Owner-pass-1';
const EVIL = 'Evil-pass-1';

async function opens(client: Client, email: string, password: string): Promise<boolean> {
  const { status } = await client.call('/api/auth/login/', { body: { email, password }, from: '198.51.100.80' });
  return status === 200;
}

export const registrationOverwrite: Attack = {
  name: "a second registration of a victim's address",
  async run({ client, instance }) {
    const register = (email: string, password: string, from: string) =>
      client.call('/api/auth/register/', { body: { first_name: 'Ada', last_name: 'Byron', email, country: '', password }, from });
    const found: string[] = [];
    // The victim uses the code of their own registration, which comes before or after the attacker's.
    for (const isLater of [true, false]) {
      const email = `overwritten-${isLater}@example.com`;
      const mine = async () => {
        await register(email, OWN, '198.51.100.80');
        return instance.app.readCode(email);
      };
      const theirs = () => register(email, EVIL, addressIn(1, 1)).then(() => instance.app.readCode(email));
      const codes = isLater ? [await mine(), await theirs()] : [await theirs(), await mine()];
      const recoveryCode = codes[isLater ? 0 : 1] ?? '';
      const verified = await client.call('/api/auth/verify-otp/', { body: { email, recoveryCode }, from: '198.51.100.80' });
      if (await opens(client, email, EVIL)) found.push(`the attacker's password opens the account (${isLater ? 'later' : 'earlier'})`);
      if (verified.status === 200 && !(await opens(client, email, OWN))) found.push("the victim's password does not");
      if (verified.status !== 200) found.push(`the victim's own code was answered ${verified.status}`);
    }
    return { tries: 4, isHeld: found.length === 0, evidence: found.join(', ') || "the victim's code opened the victim's registration" };
  },
};
