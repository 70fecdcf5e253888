import { expect, it } from 'vitest';
import { runningBots } from '#domain/bots/running-bots.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';

it('adds profits of running bots, and never those of different kinds of money', () => {
  const { config } = bot();
  const paper = { ...config, exchange: 'paper' as const, paper: true };
  const live = { ...config, exchange: 'bybit' as const, paper: false };
  const bots = [
    bot({ status: 'RUNNING', config: paper, equity: 1012.345, position_size: 1000 }),
    bot({ status: 'RUNNING', config: paper, equity: 990, position_size: 1000 }),
    bot({ status: 'STOPPED', config: paper, equity: 5000, position_size: 1000 }),
  ];
  expect(runningBots(bots)).toEqual({ gain: 2.35, summary: '2 running · Paper trading' });
  const mixed = [...bots, bot({ status: 'RUNNING', config: live, equity: 95, position_size: 100 })];
  expect(runningBots(mixed)).toEqual({ gain: -5, summary: '1 running · Real money · 2 other' });
  expect(runningBots([])).toEqual({ gain: undefined, summary: undefined });
});
