import { registerBody } from '#contract/account/account.ts';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';

/** Texts of `size` characters that make careless regular expressions backtrack. */
const TEXTS: readonly ((size: number) => string)[] = [
  (size) => `${'@.'.repeat(size / 2)} x`,
  (size) => `${'a'.repeat(size)}!`,
  (size) => `${' '.repeat(size)}x`,
  (size) => `${'0'.repeat(size)}x`,
  (size) => `${'-'.repeat(size)}\u0000`,
  (size) => `${'a@'.repeat(size / 2)}.`,
  (size) => `${'A1a!'.repeat(size / 4)}\n`,
];
const SIZES = [8 * 1024, 100 * 1024];
/** Time limit of one request, ms, because backtracking blocks the server. */
const LONGEST_MS = 1_000;

const BASE = { first_name: 'Ada', last_name: 'Lovelace', email: 'a@example.com', country: '', password: 'Secret1!' };
/** Public routes with a valid body each. */
const ROUTES: Record<string, Record<string, string>> = {
  register: BASE,
  login: { email: BASE.email, password: BASE.password },
  'verify-otp': { email: BASE.email, recoveryCode: '0000' },
  'resend-verification-code': { email: BASE.email },
  'forgot-password': { email: BASE.email },
  'verify-recovery-code': { email: BASE.email, recoveryCode: '0000' },
  'reset-password': { email: BASE.email, newPassword: BASE.password, recoveryCode: 'x' },
  'refresh-token': { refreshToken: 'x' },
};

export const redos: Attack = {
  name: 'text that makes patterns backtrack',
  async run({ client, isQuick, signal }) {
    registerBody.parse(BASE);
    let tries = 0;
    let longest = 0;
    let accepted = 0;
    let failed = 0;
    for (const [route, body] of Object.entries(ROUTES)) {
      for (const field of Object.keys(body)) {
        for (const size of SIZES) {
          for (const text of isQuick ? TEXTS.slice(0, 2) : TEXTS) {
            if (signal.aborted) break;
            const { status, ms } = await client.call(`/api/auth/${route}/`, {
              body: { ...body, [field]: text(size) },
              from: addressIn(0x100 + tries, 1),
            });
            tries += 1;
            longest = Math.max(longest, ms);
            if (status === 0 || status >= 500) failed += 1;
            else if (status < 400) accepted += 1;
          }
        }
      }
    }
    const isHeld = !signal.aborted && accepted === 0 && failed === 0 && longest < LONGEST_MS;
    return { tries, isHeld, evidence: `longest answer ${Math.round(longest)} ms, ${accepted} accepted, ${failed} failed` };
  },
};
