import type { Bot } from '#contract/bots/bot.ts';

/** Creates a listed bot that trades on paper and has no position. */
export const bot = (changes: Partial<Bot> = {}): Bot => ({
  bot_id: 'bot-1',
  bot_name: 'Tide one',
  user_id: 'user-1',
  status: 'RUNNING',
  status_reason: null,
  paused_reason: null,
  position_size: 1000,
  leverage: 15,
  max_drawdown: 30,
  created_at: '2026-03-01T00:00:00.000Z',
  config: {
    asset: 'BTC',
    strategy: 'Trend following that enters at levels',
    interval: '1h',
    exchange: 'paper',
    paper: true,
    speed: 60,
    replay: { from: '2025-03-06T10:30:00.000Z', to: '2025-04-13T07:15:00.000Z', at: '2025-03-20T12:00:00.000Z' },
    custom_settings: { api_key: '', secret_key: '' },
  },
  key_hint: '-key',
  key_expires_at: null,
  equity: 1012.3,
  position: null,
  last_exchange_at: '2026-03-01T00:00:05.000Z',
  ...changes,
});
