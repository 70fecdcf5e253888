import { randomUUID } from 'node:crypto';

/** A body that is valid for any route, with the fields of all. */
export const plausibleBody = (userId: string): Record<string, unknown> => ({
  ...{
    email: `${randomUUID()}@example.com`,
    password: 'Secret1!',
    newPassword: 'Secret1!',
    first_name: 'Ada',
    last_name: 'King',
    country: '',
  },
  ...{
    recoveryCode: '1234',
    refreshToken: 'x',
    user_id: userId,
    userId,
    id: randomUUID(),
    name: 'Ada',
    message: 'Hello',
    archiveTitle: 'Tide',
  },
  ...{
    bot_name: 'Bot',
    api_key: 'paper-demo-key',
    secret_key: 'paper-demo-secret',
    position_size: '100',
    leverage: 1,
    config: { asset: 'BTC' },
  },
  ...{
    limit: 5,
    convert: 'USD',
    sortType: 1,
    marketCapMin: '1',
    priceMax: 9,
    upTo: '2026-01-01T00:00:00Z',
    search: 'b',
    page: 1,
    kind: 'contact',
  },
  ...{ cryptoId: 1, cryptoSymbol: 'BTC', cryptoName: 'Bitcoin', actionType: 1, planType: 'BASIC', appUserId: 'x', receipt: 'x' },
  ...{ productId: 'basic_monthly', outcome: 'declined', change: 'resume', rating: 'up', mode: 'close', confirm_live: 'LIVE', code: '1234' },
  credential: {
    ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' },
    response: { clientDataJSON: 'e30', attestationObject: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
  },
});
