import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';

const TARGET = 'evil.example';
const NAMES = [
  `Ada\r\n\r\nYour account is locked: https://${TARGET}/unlock`,
  `https://${TARGET}`,
  `www.${TARGET}/a`,
  `Ada\u2028Bcc: all@${TARGET}`,
  `Ada\u202e${TARGET}/login`,
  `Ada\nSubject: ${TARGET}`,
];

/** Counts mails whose decoded or raw text contains the target. */
function mailsWithTarget(dataDir: string): number {
  const folder = join(dataDir, 'mail');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .filter((mail) => mail.includes(TARGET) || mail.replaceAll('=\r\n', '').includes(TARGET)).length;
}

export const deceptiveNames: Attack = {
  name: 'line breaks and links in names',
  async run({ client, attackers: [attacker], instance }) {
    const { userId = '', email = '', accessToken: token = '' } = attacker ?? {};
    const accepted: string[] = [];
    let tries = 0;
    const send = async (where: string, path: string, body: object, method = 'POST') => {
      const { status } = await client.call(path, { method, body, token, from: addressIn(0x800 + tries++, 1) });
      if (status < 400) accepted.push(where);
    };
    for (const [index, name] of NAMES.entries()) {
      const registration = { last_name: 'Lovelace', email: `named-${index}@example.com`, country: '', password: 'Secret1!' };
      await send('first name', '/api/auth/register/', { ...registration, first_name: name });
      await send('last name', '/api/auth/register/', { ...registration, first_name: 'Ada', last_name: name });
      await send('contact name', '/api/user/delete/send-request', { user_id: userId, name, email, message: 'Hello' });
      const bot = { bot_name: name, position_size: '1000', api_key: 'paper-demo-key', secret_key: 'paper-demo-secret' };
      await send('bot name', '/api/v1/trading-bots', bot);
      const form = new FormData();
      form.append('user_id', userId);
      form.append('first_name', name);
      await send('profile name', `/api/auth/user/${userId}`, form, 'PATCH');
    }
    // The server sends mail after its answer.
    await pause(500);
    const mails = mailsWithTarget(instance.app.dataDir);
    const places = [...new Set(accepted)].join(', ');
    return {
      tries,
      isHeld: accepted.length === 0 && mails === 0,
      evidence: `${accepted.length} accepted ${places && `(${places})`}, ${mails} mails name the target`,
    };
  },
};
