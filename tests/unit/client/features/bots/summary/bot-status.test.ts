import { expect, it } from 'vitest';
import { subStateOf } from '#client/features/bots/summary/bot-status.ts';
import type { Bot } from '#contract/bots/bot.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';
import { position } from '../fake-bots.tsx';

it.each<[Partial<Bot>, string | undefined]>([
  [{}, undefined],
  [{ position }, undefined],
  [{ position, closing: true }, 'Closing position'],
  [{ closing: true }, undefined],
  [{ paused_reason: '8 losing trades in a row' }, 'Entries paused'],
  [{ position, status: 'STOPPING', stop_mode: 'close' }, 'Closing position'],
  [{ position, status: 'STOPPING', stop_mode: 'keep' }, 'Keeping position'],
  [{ position, status: 'STOPPED' }, 'Position kept'],
  [{ position, status: 'ERROR' }, 'Position open'],
  [{ status: 'STOPPED', paused_reason: 'Halted by the operator' }, undefined],
])('names the state beside the status of %j: %s', (changes, words) => {
  expect(subStateOf(bot(changes))).toBe(words);
});
