import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { type Cache, SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askAhead, dropResults, readAhead } from '#client/platform/cache/read-ahead.ts';
import { load, type Resource } from '#client/platform/cache/resource.ts';
import { resourceAhead, useResource } from '#client/platform/cache/use-resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

/** Whether the code of the database can be loaded. */
const code = vi.hoisted(() => ({ isHere: true }));
vi.mock('#client/platform/session/current-db.ts', async (original) => {
  const actual = await original<typeof import('#client/platform/session/current-db.ts')>();
  return {
    ...actual,
    currentDb: (userId: string) => (code.isHere ? actual.currentDb(userId) : Promise.reject(new TypeError('no connection'))),
  };
});

let answer: () => Promise<string[]>;

/** An example resource: archive titles, with `group` as its parameter. */
const titles: Resource<{ group: string }, string[], string[]> = {
  key: ({ group }) => `titles/${group}`,
  fetch: () => answer(),
  write: async (db, { group }, wire) => {
    await db.archives.where('id').startsWith(group).delete();
    await db.archives.bulkPut(wire.map((title, at) => ({ id: `${group}${at}`, archive_title: title, created_at: '' })));
  },
  read: async (db, { group }, stamped) => {
    const rows = await db.archives.where('id').startsWith(group).toArray();
    return stamped || rows.length > 0 ? rows.map((row) => row.archive_title) : undefined;
  },
};

/** The same, shown before it is stored. */
const early: typeof titles = { ...titles, show: (wire) => wire };
/** What the component has rendered, without repetitions. */
let seen: string[] = [];

function Titles({ group, resource = titles }: { group: string; resource?: typeof titles }) {
  const { data, origin, isPart, error, isLoading } = useResource(resource, { group });
  const text = [data?.join() ?? 'nothing', isPart ? 'part' : origin, isLoading ? 'loading' : 'settled', error ? 'failed' : 'fine'].join(
    ' ',
  );
  if (seen.at(-1) !== text) seen.push(text);
  return <p>{text}</p>;
}

const page = (group = 'a', resource = titles) => (
  <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>
    <Titles group={group} resource={resource} />
  </SWRConfig>
);
const shown = () => screen.getByRole('paragraph').textContent;

let user = 0;
const db = () => userDb(`user-${user}`);

beforeEach(async () => {
  seen = [];
  user += 1;
  vi.stubGlobal('fetch', vi.fn());
  await signIn(makeTokens({ sub: `user-${user}` }), true);
});

afterEach(async () => {
  vi.useRealTimers();
  code.isHere = true;
  cleanup();
  await endSession();
  vi.unstubAllGlobals();
});

describe('a resource', () => {
  it('is requested behind the frame that shows what the device has, and at once where the device has nothing', async () => {
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
    const asked = vi.fn(async () => ['new']);
    answer = async () => ['old'];
    await load(db(), titles, { group: 'a' });
    await readAhead(`user-${user}`, [resourceAhead(titles, { group: 'a' })]);
    answer = asked;
    const { rerender } = render(page('a'));
    expect(shown()).toBe('old device settled fine');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).not.toHaveBeenCalled();
    await waitFor(() => {
      for (const frame of frames.splice(0)) frame(0);
      expect(shown()).toBe('new network settled fine');
    });

    rerender(page('b'));
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
    expect(frames).toHaveLength(0);
  });

  it('is requested after a second where no frame is drawn, as in a covered window', async () => {
    vi.stubGlobal('requestAnimationFrame', () => 1);
    answer = async () => ['old'];
    await load(db(), titles, { group: 'a' });
    await readAhead(`user-${user}`, [resourceAhead(titles, { group: 'a' })]);
    answer = async () => ['new'];
    render(page('a'));
    expect(shown()).toBe('old device settled fine');
    await waitFor(() => expect(shown()).toBe('new network settled fine'), { timeout: 10_000 });
  });

  it('shows the network’s answer once the device has stored it', async () => {
    answer = async () => ['one', 'two'];
    render(page());
    expect(shown()).toBe('nothing device loading fine');
    await waitFor(() => expect(shown()).toBe('one,two network settled fine'));
    expect(await db().stamps.get('titles/a')).toBeDefined();
  });

  it('shows stored data at once, while it loads from the network', async () => {
    answer = async () => ['old'];
    await load(db(), titles, { group: 'a' });
    let reply: (wire: string[]) => void = () => {};
    answer = () => new Promise((resolve) => (reply = resolve));
    render(page());
    await waitFor(() => expect(shown()).toBe('old device settled fine'));
    await act(async () => reply(['new']));
    await waitFor(() => expect(shown()).toBe('new network settled fine'));
  });

  it('keeps the stored data when the network fails, and reports the failure', async () => {
    answer = async () => ['old'];
    await load(db(), titles, { group: 'a' });
    answer = () => Promise.reject(new Error('offline'));
    render(page());
    await waitFor(() => expect(shown()).toBe('old device settled failed'));
  });

  it('without stored data and network, is settled and failed', async () => {
    answer = () => Promise.reject(new Error('offline'));
    render(page());
    await waitFor(() => expect(shown()).toBe('nothing device settled failed'));
  });

  it('distinguishes an empty answer from no answer', async () => {
    answer = async () => [];
    render(page());
    await waitFor(() => expect(shown()).toBe(' network settled fine'));
  });

  it('never shows one key’s rows for another key', async () => {
    answer = async () => ['of a'];
    const { rerender } = render(page('a'));
    await waitFor(() => expect(shown()).toContain('of a'));
    answer = () => new Promise(() => {});
    rerender(page('b'));
    expect(shown()).toBe('nothing device loading fine');
  });

  it('follows changes made by another tab', async () => {
    answer = async () => ['one'];
    render(page());
    await waitFor(() => expect(shown()).toContain('one'));
    await act(async () => void (await db().archives.update('a0', { archive_title: 'renamed' })));
    await waitFor(() => expect(shown()).toContain('renamed'));
  });

  it('stores an answer completely or not at all', async () => {
    answer = async () => ['one'];
    await load(db(), titles, { group: 'a' });
    const failing = { ...titles, write: async () => Promise.reject(new Error('quota')) };
    await expect(load(db(), failing, { group: 'a' })).rejects.toThrow('quota');
    expect(await db().archives.count()).toBe(1);
  });
});

describe('an answer that comes after that to a later request', () => {
  for (const resource of [titles, early])
    it(`changes nothing, if it is one that shows ${resource === early ? 'before' : 'once'} it is stored`, async () => {
      let arrive = (_titles: string[]) => {};
      answer = () => new Promise((resolve) => (arrive = resolve));
      render(page('a', resource));
      await waitFor(() => expect(shown()).toBe('nothing device loading fine'));
      answer = async () => ['changed'];
      await act(async () => void (await load(db(), resource, { group: 'a' })));
      await waitFor(() => expect(shown()).toContain('changed'));
      await act(async () => arrive(['before the change']));
      await waitFor(() => expect(shown()).toBe('changed network settled fine'));
      expect((await db().archives.toArray()).map((row) => row.archive_title)).toEqual(['changed']);
      expect(seen.join()).not.toContain('before the change');
    });

  it('is stored when the device has lost the other', async () => {
    let arrive = (_titles: string[]) => {};
    answer = () => new Promise((resolve) => (arrive = resolve));
    const earlier = load(db(), titles, { group: 'a' });
    answer = async () => ['changed'];
    await load(db(), titles, { group: 'a' });
    await db().stamps.clear();
    arrive(['one']);
    await earlier;
    expect((await db().archives.toArray()).map((row) => row.archive_title)).toEqual(['one']);
  });
});

describe('an answer that shows before it is stored', () => {
  const waiting = () => new Promise<never>(() => {});

  it('is on the screen while the device stores it', async () => {
    answer = async () => ['two', 'one'];
    render(page('a', { ...early, write: waiting }));
    await waitFor(() => expect(shown()).toBe('two,one memory settled fine'));
    expect(await db().stamps.count()).toBe(0);
  });

  it('is not kept for its user when another has signed in meanwhile', async () => {
    const cache: Cache = new Map();
    const mounted = (
      <SWRConfig value={{ provider: () => cache, dedupingInterval: 0 }}>
        <Titles group="a" resource={early} />
      </SWRConfig>
    );
    let arrive: ((titles: string[]) => void) | undefined;
    answer = () =>
      new Promise((resolve) => {
        arrive = resolve;
      });
    const { unmount } = render(mounted);
    await waitFor(() => expect(arrive).toBeDefined());
    unmount();
    await signIn(makeTokens({ sub: `other-${user}` }), true);
    arrive?.(['of the other']);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await signIn(makeTokens({ sub: `user-${user}` }), true);
    answer = waiting;
    render(mounted);
    expect(shown()).toBe('nothing device loading fine');
  });

  it('gives its place to the stored data without a gap or another order', async () => {
    answer = async () => ['one', 'two'];
    render(page('a', early));
    await waitFor(() => expect(shown()).toBe('one,two network settled fine'));
    expect(seen).toEqual(['nothing device loading fine', 'one,two memory settled fine', 'one,two network settled fine']);
  });

  it('stays on the screen when the device cannot store it', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    answer = async () => ['old'];
    await load(db(), titles, { group: 'a' });
    answer = async () => ['new'];
    render(page('a', { ...early, write: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) }));
    await waitFor(() => expect(told).toHaveBeenCalledWith('an answer could not be stored', expect.anything(), expect.anything()));
    await waitFor(() => expect(shown()).toBe('new memory settled fine'));
    told.mockRestore();
  });

  it('gives way to what another tab stores later', async () => {
    answer = async () => ['one'];
    render(page('a', { ...early, write: () => Promise.reject(new Error('full')) }));
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    await waitFor(() => expect(shown()).toContain('memory'));
    answer = async () => ['newer'];
    await act(async () => void (await load(db(), titles, { group: 'a' }, () => Date.now() + 1)));
    await waitFor(() => expect(shown()).toBe('newer network settled fine'));
    told.mockRestore();
  });

  it('does not come back over newer data of the device', async () => {
    answer = async () => ['one'];
    const swr = { provider: () => cache, dedupingInterval: 0, shouldRetryOnError: false };
    const cache = new Map();
    const mounted = (isShown: boolean) => <SWRConfig value={swr}>{isShown && <Titles group="a" resource={early} />}</SWRConfig>;
    const { rerender } = render(mounted(true));
    await waitFor(() => expect(shown()).toBe('one network settled fine'));
    rerender(mounted(false));
    await db().archives.update('a0', { archive_title: 'renamed' });
    seen = [];
    answer = waiting;
    rerender(mounted(true));
    await waitFor(() => expect(shown()).toContain('renamed'));
    expect(seen.join()).not.toContain('one');
  });
});

describe('an answer that another page deletes from the device', () => {
  const swr = { dedupingInterval: 60_000, shouldRetryOnError: false };
  const erase = () => db().transaction('rw', db().archives, db().stamps, () => Promise.all([db().archives.clear(), db().stamps.clear()]));
  const mounted = (cache: Cache, isShown: boolean, resource: typeof titles) => (
    <SWRConfig value={{ ...swr, provider: () => cache }}>{isShown && <Titles group="a" resource={resource} />}</SWRConfig>
  );

  for (const resource of [titles, early]) {
    const kind = resource === early ? 'that shows before it is stored' : 'that shows once it is stored';

    it(`is fetched again when the page opens, if it is one ${kind}`, async () => {
      const cache = new Map();
      answer = async () => ['one'];
      const { rerender } = render(mounted(cache, true, resource));
      await waitFor(() => expect(shown()).toBe('one network settled fine'));
      rerender(mounted(cache, false, resource));
      await erase();
      answer = async () => ['two'];
      rerender(mounted(cache, true, resource));
      await waitFor(() => expect(shown()).toBe('two network settled fine'));
    });

    it(`is fetched again while the page is open, if it is one ${kind}`, async () => {
      answer = async () => ['one'];
      render(mounted(new Map(), true, resource));
      await waitFor(() => expect(shown()).toBe('one network settled fine'));
      answer = async () => ['two'];
      await act(async () => void (await erase()));
      await waitFor(() => expect(shown()).toBe('two network settled fine'));
    });
  }

  it('is requested once if the server has it no more', async () => {
    answer = async () => ['one'];
    render(mounted(new Map(), true, titles));
    await waitFor(() => expect(shown()).toBe('one network settled fine'));
    const refuse = vi.fn(() => Promise.reject(new Error('gone')));
    answer = refuse;
    await act(async () => void (await erase()));
    await waitFor(() => expect(shown()).toBe('nothing device settled failed'));
    expect(refuse).toHaveBeenCalledOnce();
  });
});

describe('an answer before the first render', () => {
  const asked = vi.fn((_group: string): Promise<string[]> => Promise.reject(new Error('unexpected')));
  /** Its parts are groups named after it. */
  const parted: typeof titles = {
    ...early,
    fetch: ({ group }) => asked(group),
    first: { path: '/titles', part: ({ group }) => ({ group: `${group}first` }) },
  };
  const whole: typeof titles = { ...parted, first: { path: '/titles', part: () => undefined } };
  const ahead = (resource: typeof titles, group = 'a') => askAhead(`user-${user}`, [resourceAhead(resource, { group })]);
  /** What the first script has asked for. */
  const firstScript = globalThis as { earlyAnswer?: { path: string } | undefined };
  beforeEach(() => {
    asked.mockReset();
    firstScript.earlyAnswer = { path: '/titles' };
  });
  afterEach(() => {
    firstScript.earlyAnswer = undefined;
    dropResults();
  });

  it('makes that render complete, and is not asked for again', async () => {
    asked.mockResolvedValueOnce(['one']);
    await ahead(whole);
    render(page('a', whole));
    await waitFor(() => expect(shown()).toBe('one network settled fine'));
    expect(seen[0]).toBe('one memory settled fine');
    expect(asked.mock.calls).toEqual([['a']]);
  });

  it('may be a part, which stays until the rest comes', async () => {
    let arrive = (_titles: string[]) => {};
    asked.mockResolvedValueOnce(['one']).mockImplementationOnce(() => new Promise((resolve) => (arrive = resolve)));
    await ahead(parted);
    render(page('a', parted));
    await waitFor(() => expect(asked.mock.calls).toEqual([['afirst'], ['a']]));
    // The device has stored the part under its own name.
    await waitFor(async () => expect(await db().stamps.count()).toBe(1));
    await act(async () => arrive(['one', 'two']));
    await waitFor(() => expect(shown()).toBe('one,two network settled fine'));
    expect(seen[0]).toBe('one part settled fine');
    expect(seen.filter((text) => text.includes('nothing'))).toEqual([]);
  });

  it('stays a part when the rest fails, which is asked for once', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    asked.mockResolvedValueOnce(['one']);
    await ahead(parted);
    const { rerender } = render(page('a', parted));
    dropResults();
    await waitFor(() => expect(shown()).toBe('one part settled failed'));
    rerender(page('a', parted));
    expect(shown()).toBe('one part settled failed');
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('that comes too late for it shows when it comes', async () => {
    let arrive = (_titles: string[]) => {};
    asked.mockImplementationOnce(() => new Promise((resolve) => (arrive = resolve))).mockResolvedValueOnce(['one', 'two']);
    await ahead(parted); // for its 300 ms
    render(page('a', parted));
    await waitFor(() => expect(shown()).toBe('nothing device loading fine'));
    expect(asked.mock.calls).toEqual([['afirst']]);
    await act(async () => arrive(['one']));
    await waitFor(() => expect(shown()).toBe('one,two network settled fine'));
    expect(seen).toContain('one part settled fine');
  });

  it('is not waited for when the first script has asked for something else', async () => {
    firstScript.earlyAnswer = { path: '/others' };
    await ahead(parted);
    expect(asked).not.toHaveBeenCalled();
  });

  it('that fails is asked for again by the page', async () => {
    await ahead(parted);
    asked.mockResolvedValueOnce(['one', 'two']);
    render(page('a', parted));
    await waitFor(() => expect(shown()).toBe('one,two network settled fine'));
    expect(asked.mock.calls).toEqual([['afirst'], ['a']]);
  });
});

describe('without the code of the database', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    code.isHere = false;
  });

  it('shows the error of a failed request, and reads the device once the code is here', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await db().archives.put({ id: 'a0', archive_title: 'stored', created_at: '' });
    answer = () => Promise.reject(new TypeError('no connection'));
    render(page());
    await waitFor(() => expect(shown()).toBe('nothing device settled failed'));
    code.isHere = true;
    await vi.advanceTimersByTimeAsync(5_000);
    await waitFor(() => expect(shown()).toBe('stored device settled failed'));
  });

  it('shows an answer, or waits for it', async () => {
    let arrive = (_titles: string[]) => {};
    answer = () => new Promise((resolve) => (arrive = resolve));
    render(page('a', early));
    await waitFor(() => expect(console.error).toHaveBeenCalledWith('reading the device failed', expect.any(TypeError)));
    expect(shown()).toBe('nothing device loading fine');
    await act(async () => arrive(['one']));
    await waitFor(() => expect(shown()).toBe('one memory settled fine'));
  });
});
