import { expect, it } from 'vitest';
import { withDeviceAnswer } from '#client/features/chat/device-answer/device-answer.ts';
import { chatRow, unanswered } from '#tests/support/chat/chat-rows.ts';

const device_answer = { text: 'Bitcoin is at $1.\n\nData: 1 Jan 2026, 00:00 UTC, Demo.\n\nRisk.', asOf: 0 };
const before = { ...unanswered({ id: 'q' }), device_answer };
const answered = (ai_response: string, more: object = {}) => chatRow({ id: 'q', ai_response, ...more });

it('keeps the device’s answer while the server has none, and beside another answer', () => {
  expect(withDeviceAnswer(unanswered({ id: 'q' }), before)).toEqual(before);
  const other = answered('Bitcoin is at $2.\n\nData: 2 Jan 2026, 00:00 UTC, Demo.\n\nRisk.');
  expect(withDeviceAnswer(other, before)).toEqual({ ...other, device_answer });
  const failed = answered(device_answer.text, { failed: true });
  expect(withDeviceAnswer(failed, before)).toEqual({ ...failed, device_answer });
});

it('drops it once the server says the same, whatever the time of its figures', () => {
  const same = answered('Bitcoin is at $1.\n\nData: 9 Mar 2026, 10:00 UTC, CoinMarketCap.\n\nRisk.');
  expect(withDeviceAnswer(same, before)).toEqual(same);
});

it('drops it when the question was edited', () => {
  const edited = unanswered({ id: 'q', user_message: 'Another question' });
  expect(withDeviceAnswer(edited, before)).toEqual(edited);
  expect(withDeviceAnswer(edited, undefined)).toEqual(edited);
});
