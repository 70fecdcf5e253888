import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY } from '#domain/clock.ts';
import { verifyLetter } from '#server/modules/accounts/codes/code-mails.ts';
import { openFileOutbox, pruneOutbox } from '#server/ports/mail/file-outbox.ts';
import { openSmtp } from '#server/ports/mail/smtp.ts';
import { startSmtp } from '#tests/support/mail/smtp.ts';
import { PASSWORD, startServer } from '#tests/support/server/server.ts';

const FROM = 'Tidemark <no-reply@example.com>';
const START = Date.UTC(2026, 2, 1, 12);
const letter = verifyLetter('ada@example.com', [
  { firstName: 'Ada Ünïcödé', lastName: 'King', createdAt: new Date(START), code: '0042', link: `http://localhost/${'x'.repeat(80)}` },
]);

async function expectLetter(source: string) {
  const [head = '', body = ''] = source.split(/\r\n\r\n(.*)/s);
  expect(head).toMatch(/^Content-Transfer-Encoding: (7bit|quoted-printable)$/im);
  expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/im);
  expect(head).toMatch(/^Date: Sun, 01 Mar 2026 12:00:00 \+0000$/m);
  expect(head).toMatch(/^Message-ID: <\S+@\S+>$/im);
  expect(body.split('\r\n')).toContain('0042');
  const parsed = await PostalMime.parse(source);
  expect(parsed.from).toEqual({ name: 'Tidemark', address: 'no-reply@example.com' });
  expect(parsed.to).toEqual([{ name: '', address: 'ada@example.com' }]);
  expect(parsed.subject).toBe('Your Tidemark verification code');
  expect(parsed.text).toContain('Hello Ada Ünïcödé,');
}

describe('the file outbox', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-mail-'));
  });
  afterEach(() => fs.rmSync(dataDir, { recursive: true }));
  const files = () => fs.readdirSync(path.join(dataDir, 'mail'));

  test('writes RFC 5322 files that only their owner can read', async () => {
    const outbox = openFileOutbox(dataDir, FROM, () => START);
    const where = await outbox.send(letter);
    const [name = ''] = files();
    const file = path.join(dataDir, 'mail', name);
    expect(where).toBe(`file ${file}`);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const source = fs.readFileSync(file, 'utf8');
    await expectLetter(source);
    expect(source.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  test('keeps them for 30 days, and the newest 5,000', async () => {
    let now = START;
    const outbox = openFileOutbox(dataDir, FROM, () => now);
    const first = path.basename(await outbox.send(letter));
    const draft = `${first}.part`;
    fs.writeFileSync(path.join(dataDir, 'mail', draft), 'left by a crash');
    fs.writeFileSync(path.join(dataDir, 'mail', 'notes.txt'), 'not ours');
    now += 29 * DAY;
    const second = path.basename(await outbox.send(letter));
    const prune = (days: number) => pruneOutbox(path.join(dataDir, 'mail'), START + days * DAY);
    await prune(30);
    expect(files().sort()).toEqual([first, draft, second, 'notes.txt'].sort());
    await prune(31);
    expect(files().sort()).toEqual([second, 'notes.txt'].sort());

    for (let index = 0; index < 5010; index++) {
      fs.writeFileSync(path.join(dataDir, 'mail', `20260401T000000000Z-${String(index).padStart(4, '0')}-x.eml`), '');
    }
    await prune(31);
    expect(files()).toHaveLength(5001);
    expect(files()).toContain('20260401T000000000Z-5009-x.eml');
    expect(files()).not.toContain(second);
  });

  test('gives them names that sort by time, even within a millisecond', async () => {
    let now = START;
    const outbox = openFileOutbox(dataDir, FROM, () => now);
    const sent: string[] = [];
    for (const step of [0, 0, 1, 0, 59_999, 86_400_000]) {
      now += step;
      sent.push(path.basename(await outbox.send(letter)));
    }
    expect(files().sort()).toEqual(sent);
    expect(sent.every((name) => name.endsWith('.eml'))).toBe(true);
  });
});

describe('SMTP', () => {
  test('sends the same message, to its one recipient', async () => {
    const smtp = await startSmtp();
    const mail = openSmtp(smtp.url, FROM, () => START);
    try {
      expect(await mail.send(letter)).toMatch(/^smtp <\S+>$/);
      expect(smtp.received.map(({ from, to }) => ({ from, to }))).toEqual([{ from: 'no-reply@example.com', to: ['ada@example.com'] }]);
      await expectLetter(smtp.received[0]?.source ?? '');
    } finally {
      mail.close();
      await smtp.close();
    }
  });

  test('replaces the outbox and the mailbox page when SMTP_URL is set', async () => {
    const smtp = await startSmtp();
    const server = await startServer({ env: { SMTP_URL: smtp.url, MAIL_FROM: FROM } });
    try {
      const body = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: '', password: 'Secret1!' };
      expect((await server.post('/auth/register/', body)).status).toBe(201);
      const code = smtp.received[0]?.source.match(/^(\d{4})\r$/m)?.[1];
      expect((await server.post('/auth/verify-otp/', { email: body.email, recoveryCode: code })).status).toBe(200);
      expect(fs.existsSync(path.join(server.dataDir, 'mail'))).toBe(false);
      expect((await fetch(`${server.url}/mailbox`)).status).toBe(404);
    } finally {
      await server.close();
      await smtp.close();
    }
  });

  test('sends the code for sign-up, email verification and password reset', async () => {
    const smtp = await startSmtp();
    const server = await startServer({ env: { SMTP_URL: smtp.url, MAIL_FROM: FROM } });
    const lastCode = async () => {
      await server.settled();
      return smtp.received.at(-1)?.source.match(/^(\d{4})\r$/m)?.[1];
    };
    try {
      const email = 'ada@example.com';
      await server.post('/auth/register/', { first_name: 'Ada', last_name: 'Lovelace', email, country: '', password: 'Secret1!' });
      const atSignUp = await lastCode();
      await server.post('/auth/resend-verification-code/', { email });
      expect((await server.post('/auth/verify-otp/', { email, recoveryCode: await lastCode() })).status).toBe(200);
      expect(atSignUp).toMatch(/^\d{4}$/);

      await server.post('/auth/forgot-password/', { email });
      const verified = await server.post('/auth/verify-recovery-code/', { email, recoveryCode: await lastCode() });
      const { recoveryCode } = (await verified.json()).data;
      expect((await server.post('/auth/reset-password/', { email, newPassword: 'Other-1234', recoveryCode })).status).toBe(200);
      await server.settled();
      expect(smtp.received).toHaveLength(4);
      expect(smtp.received.map(({ to }) => to)).toEqual(Array.from({ length: 4 }, () => [email]));
      expect(smtp.received[3]?.source).toContain('password was changed');
    } finally {
      await server.close();
      await smtp.close();
    }
  });

  test('rejects when there is no mail server', async () => {
    const smtp = await startSmtp();
    await smtp.close();
    const mail = openSmtp(smtp.url, FROM, () => START);
    await expect(mail.send(letter)).rejects.toThrow('ECONNREFUSED');
    mail.close();
  });
});

describe('the mailbox page', () => {
  test('shows the latest message first, escaped', async () => {
    const server = await startServer();
    try {
      const empty = await (await fetch(`${server.url}/mailbox`)).text();
      expect(empty).toContain('No messages yet.');
      const names = { last_name: 'Lovelace', country: '', password: PASSWORD };
      await server.post('/auth/register/', { ...names, first_name: '<b>Ada</b> & "co"', email: 'first@example.com' });
      await server.post('/auth/register/', { ...names, first_name: 'Eve', email: 'second@example.com' });
      const response = await fetch(`${server.url}/mailbox/`);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const page = await response.text();
      expect(page).toContain('Hello &lt;b&gt;Ada&lt;/b&gt; &amp; &quot;co&quot;,');
      expect(page).not.toContain('<b>');
      expect(page).toMatch(/<p class="code">\d{4}<\/p>/);
      expect(page.indexOf('second@example.com')).toBeLessThan(page.indexOf('&lt;b&gt;'));

      const css = await fetch(server.url + (page.match(/href="(\/\S+\.css)"/)?.[1] ?? ''));
      expect(css.headers.get('content-type')).toContain('text/css');
    } finally {
      await server.close();
    }
  });

  test('is not served under another host name', async () => {
    const server = await startServer();
    try {
      const response = await server.app.inject({ url: '/mailbox', headers: { host: 'rebound.example.com' } });
      expect(response.statusCode).toBe(404);
      expect((await server.app.inject({ url: '/mailbox', headers: { host: 'localhost:8080' } })).statusCode).toBe(200);
    } finally {
      await server.close();
    }
  });
});
