import { expect, it } from 'vitest';
import { greetingTo, shownName } from '#domain/shown-name.ts';

it.each([
  ['Ada', 'Ada'],
  ['Dr. Smith', 'Dr. Smith'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['Ada\r\n\r\nYour account is locked', 'Ada Your account is locked'],
  ['Ada\u2028Bcc: x', 'Ada Bcc: x'],
  ['A\u202eda', 'A da'],
  ['Ada https://evil', ''],
  ['Ada\nevil\n.com', 'Ada evil .com'],
  ['Ada evil.com', ''],
  ['\n\u200b', ''],
  ['漢'.repeat(80), `${'漢'.repeat(59)}…`],
  ['💥'.repeat(80), `${'💥'.repeat(59)}…`],
])('shows the name %j as %j', (name, shown) => expect(shownName(name)).toBe(shown));

it('greets without a name if none can be shown', () => {
  expect(greetingTo('Ada')).toBe('Hello Ada,');
  expect(greetingTo('https://evil')).toBe('Hello,');
});
