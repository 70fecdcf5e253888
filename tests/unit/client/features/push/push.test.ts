import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readPushState, syncPush, turnPushOn } from '#client/features/push/push.ts';
import { startPush } from '#client/features/push/start-push.ts';
import { hideAmounts } from '#client/platform/device-choices/hide-amounts.ts';
import { keepPushUser, pushUser } from '#client/platform/notifications/push-browser.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { type Answers, fakeApi } from '#tests/support/client/fake-api.ts';
import { fakePushBrowser } from '#tests/support/push/push-browser.ts';

const [KEY, OTHER_KEY] = ['B'.repeat(86), 'C'.repeat(86)];
const SUBSCRIBE = 'POST /api/push/subscriptions';
const serverWith = (key: string): Answers => ({
  'GET /api/push/key': { status: 200, body: { status: 200, data: { key } } },
  [SUBSCRIBE]: { status: 200, body: { status: 200, message: 'ok' } },
});

let users = 0;
let userId: string;
let browser: ReturnType<typeof fakePushBrowser>;
const sent = (asked: ReturnType<typeof fakeApi>) => asked.filter(({ call }) => call === SUBSCRIBE).map(({ body }) => body);

beforeEach(async () => {
  localStorage.clear();
  users += 1;
  userId = `pushed-${users}`;
  browser = fakePushBrowser('granted');
  fakeApi({});
  await signIn(makeTokens({ sub: userId }), true);
  keepPushUser(userId);
});

describe('the comparison at the start', () => {
  it('sends the subscription again, and makes no new one', async () => {
    const { endpoint } = browser.subscribe(KEY);
    const asked = fakeApi(serverWith(KEY));
    await syncPush();
    await syncPush();
    expect(sent(asked)).toEqual([{ endpoint, keys: { p256dh: 'p', auth: 'a' }, key: KEY, hide_amounts: false }]);
    expect(browser).toMatchObject({ made: 1, ended: [] });
  });

  it('replaces a subscription for another key of the server, without a question', async () => {
    const old = browser.subscribe(KEY).endpoint;
    const asked = fakeApi(serverWith(OTHER_KEY));
    await syncPush();
    expect(browser.ended).toEqual([old]);
    expect(browser.current?.endpoint).not.toBe(old);
    expect(sent(asked)).toMatchObject([{ endpoint: browser.current?.endpoint, key: OTHER_KEY }]);
    expect(browser.asked).toBe(0);
  });

  it('makes the subscription that the browser has lost', async () => {
    const asked = fakeApi(serverWith(KEY));
    await syncPush();
    expect(sent(asked)).toMatchObject([{ endpoint: browser.current?.endpoint }]);
  });

  it('changes nothing while the server cannot be reached, and follows later', async () => {
    const { endpoint } = browser.subscribe(KEY);
    await syncPush();
    expect(browser).toMatchObject({ current: { endpoint }, ended: [] });
    const asked = fakeApi(serverWith(OTHER_KEY));
    await syncPush();
    expect(sent(asked)).toHaveLength(1);
  });

  it('ends the subscription of the user before', async () => {
    const { endpoint } = browser.subscribe(KEY);
    keepPushUser('someone-else');
    const asked = fakeApi(serverWith(KEY));
    await syncPush();
    expect(browser.ended).toEqual([endpoint]);
    expect(pushUser()).toBeNull();
    expect(sent(asked)).toEqual([]);
  });

  it('ends the subscription of a user who is signed out', async () => {
    const { endpoint } = browser.subscribe(KEY);
    await endSession();
    await syncPush();
    expect(browser.ended).toContain(endpoint);
  });
});

describe('hidden amounts', () => {
  it('are told to the server when they are switched, also while the last choice is on its way', async () => {
    browser.subscribe(KEY);
    const asked = fakeApi(serverWith(KEY));
    startPush();
    await vi.waitFor(() => expect(sent(asked)).toMatchObject([{ hide_amounts: false }]));
    await hideAmounts(true);
    await vi.waitFor(() => expect(sent(asked)).toMatchObject([{ hide_amounts: false }, { hide_amounts: true }]));
    void hideAmounts(false);
    void hideAmounts(true);
    void hideAmounts(false);
    await vi.waitFor(() => expect(sent(asked).at(-1)).toMatchObject({ hide_amounts: false }));
    await syncPush();
    expect(sent(asked).at(-1)).toMatchObject({ hide_amounts: false });
  });

  it('hold for a device that is turned on later', async () => {
    localStorage.removeItem('push-user');
    await hideAmounts(true);
    const asked = fakeApi(serverWith(KEY));
    await turnPushOn();
    expect(sent(asked)).toMatchObject([{ hide_amounts: true }]);
    await readPushState();
  });
});
