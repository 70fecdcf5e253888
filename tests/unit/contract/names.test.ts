import { describe, expect, it } from 'vitest';
import { registerBody } from '#contract/account/account.ts';
import { createBotBody } from '#contract/bots/bot.ts';
import { renameBody } from '#contract/chat/archive.ts';
import { contactMessageBody } from '#contract/contact.ts';
import { isPlainName } from '#contract/names.ts';

const PLAIN = [
  'Ada',
  "O'Neil",
  'Dr. Smith',
  'Dr.Smith',
  'St.John',
  'J.R. Tolkien',
  'J.R.R.Tolkien',
  'J.Tolkien',
  'J.Coël',
  'Dr.Müller',
  'Dr.Schäfer-Lang',
  'А.С.Пушкин',
  'Иванов.Пётр',
  'Martin Luther King, Jr.',
  'Ana María',
  'Jean-Luc',
  'محمد علي',
  'می\u200cخواهم',
  'क्\u200dष',
  '王小明',
  '阿不都.热合曼',
  'Ph.D.',
  'will.i.am',
  'R2-D2',
  'Bot v1.2',
  'BTC 0.5',
  'BTC/USDT',
  'Long: BTC',
  '50% risk',
  '👨\u200d👩\u200d👧',
  '❤️',
  'Nguyễn Thị Ánh',
];

const REFUSED = [
  'https://evil',
  'http://evil.example',
  'Your account is locked… https://evil',
  'ftp://x',
  'www.evil',
  'WWW.evil',
  'evil.com',
  'EVIL.COM',
  'Evil.Com',
  'go to evil.com now',
  'a.evil.xyz',
  'evil.zone/login',
  'Evil.Zone/login',
  't.co/x',
  'x.com',
  'evil.zone:8080',
  'ada@evil.com',
  'dr.com',
  'evil.xn--p1ai',
  'пример.рф',
  '例子.中国',
  'ev\u200dil.com',
  'evil.com\u3164',
  'evil.com你好',
  'evil.com-x',
  'evil.com.',
  'evil\u3002com',
  'ｅｖｉｌ．ｃｏｍ',
  'Ada\nYour account is locked',
  'Ada\rX',
  'Ada\tX',
  'Ada\u2028X',
  'Ada\u2029X',
  'Ada\u0085X',
  'Ada\u202eadA',
  'Ada\u2066X',
  'A\u200bda',
  'A\ufeffda',
  'A\u00adda',
  '\u200d',
  'Ada\u200d\u200d',
  'A\ud800',
];

describe('names', () => {
  it.each(PLAIN)('accepts %j', (name) => expect(isPlainName(name)).toBe(true));
  it.each(REFUSED)('refuses %j', (name) => expect(isPlainName(name)).toBe(false));

  it.each([
    ['first name', registerBody, 'first_name'],
    ['last name', registerBody, 'last_name'],
    ['name of a contact message', contactMessageBody, 'name'],
    ['bot name', createBotBody, 'bot_name'],
  ])('says so at the field: %s', (_what, schema, field) => {
    const messageFor = (text: string) => schema.safeParse({ [field]: text }).error?.issues.find(({ path }) => path[0] === field)?.message;
    expect(messageFor('see https://evil')).toBe("Names can't contain links or line breaks");
    expect(messageFor(' Dr. Smith ')).toBeUndefined();
  });

  it('keeps a title on one line and lets it name a site', () => {
    expect(renameBody.safeParse({ archiveTitle: 'Is crypto.com safe?' }).success).toBe(true);
    expect(renameBody.safeParse({ archiveTitle: 'two\nlines' }).error?.issues[0]?.message).toBe("Titles can't contain line breaks");
  });
});
