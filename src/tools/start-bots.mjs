// `npm run start:bots`: the trading-bot service alone, beside web processes on the same DATABASE_URL, or by itself.
process.env.ROLE = 'bots';
process.env.PORT ||= '8081';
await import('./start.mjs');
