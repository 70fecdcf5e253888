import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { createRandom } from '#domain/random.ts';
import { openAs, register } from '#tests/support/accounts/signed-in.ts';
import { deviceKeys } from '#tests/support/browser/device-db.ts';
import { type KillableBrowser, startBrowser } from '#tests/support/browser/killable-browser.ts';
import { logOut, newPerson, type Person } from '#tests/support/browser/main-path.ts';
import { sharePicture, waitingShares } from '#tests/support/browser/share-picture.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { composer } from '#tests/support/chat/chat-page.ts';
import type { RunningApp } from '#tests/support/processes/app.ts';
import { questionsOf } from './questions-of.ts';

const STEPS = 14;
/** A user of the Free plan has ten questions. */
const MAX_SHARES = 8;
const LONGEST_WAIT = { timeout: 30_000 };

interface Share {
  text: string;
  /** Who was signed in when it came, or logged in next. */
  owner: Person | undefined;
  /** A composer has had it. */
  taken: boolean;
  /** Why it may be in no message. */
  excuse?: 'replaced and told' | 'deleted by a sign-out' | 'killed while it came';
}

export interface ShareReport {
  shared: number;
  delivered: number;
  excused: number;
  /** Sentences on shares that are lost, doubled, or with another user. */
  faults: string[];
}

/**
 * One device with up to two tabs, two users who take turns, and steps drawn from `seed`: shares, sent questions, kills of the browser and of
 * the worker, closed tabs, sign-outs, and a connection that comes and goes. In the end, each share must be in one question of its user.
 */
export async function runShareSchedule(app: RunningApp, seed: number): Promise<ShareReport> {
  const people = [newPerson('Ada'), newPerson('Bob')] as const;
  for (const person of people) await register(app, person);
  const profile = mkdtempSync(join(tmpdir(), 'tidemark-shares-'));
  const device = new Device(app, { profile, people, seed });
  try {
    await device.start();
    await device.logIn();
    for (let step = 0; step < STEPS; step++) await device.step();
    await device.finish();
    return await device.report();
  } finally {
    await device.end();
    rmSync(profile, { recursive: true, force: true });
  }
}

interface Options {
  profile: string;
  people: readonly [Person, Person];
  seed: number;
}

class Device {
  readonly #app: RunningApp;
  readonly #options: Options;
  readonly #random: () => number;
  readonly #shares: Share[] = [];
  readonly #done: string[] = [];
  #browser: KillableBrowser | undefined;
  #pages: Page[] = [];
  #user: Person | undefined;
  #isOnline = true;

  constructor(app: RunningApp, options: Options) {
    this.#app = app;
    this.#options = options;
    this.#random = createRandom(options.seed);
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  async start(): Promise<void> {
    this.#browser = await startBrowser(this.#options.profile);
    this.#isOnline = true;
    this.#pages = [];
    await this.#openTab();
  }

  async end(): Promise<void> {
    await this.#browser?.kill();
  }

  async #openTab(path = '/chat'): Promise<Page> {
    const page = await (this.#browser as KillableBrowser).context.newPage();
    await page.goto(this.#app.url + path);
    this.#pages.push(page);
    return page;
  }

  /** Draws a step and does it. */
  async step(): Promise<void> {
    const steps: Record<string, () => Promise<unknown>> = {
      share: () => this.#share(),
      'share and kill': () => this.#share(true),
      send: () => this.#send(),
      'send and kill': () => this.#send(true),
      kill: () => this.#restart(),
      'stop the worker': () => this.#stopWorker(),
      'open a tab': async () => this.#pages.length < 2 && (await this.#openTab(this.#pick(['/chat', '/home']))),
      'close a tab': () => this.#closeTab(),
      'lose the connection': () => this.#setOnline(false),
      'get it back': () => this.#setOnline(true),
      'sign out': () => this.#signOut(),
      'log in': () => this.logIn(),
    };
    const often = ['share', 'share', 'send', 'send', 'send', 'log in'];
    const name = this.#pick([...often, ...Object.keys(steps)]);
    this.#done.push(name);
    await steps[name]?.();
  }

  async #share(kills = false): Promise<void> {
    if (this.#shares.length === MAX_SHARES) return;
    const page = this.#pick(this.#pages);
    await this.#leaveApp(page);
    if (page.url() === 'about:blank') await page.goto(`${this.#app.url}/home`);
    const text = `share ${this.#shares.length + 1} of ${this.#options.seed}`;
    const waiting = this.#shares.filter(({ taken, excuse }) => !taken && !excuse);
    const share: Share = { text, owner: this.#user, taken: false };
    this.#shares.push(share);
    // The page may be one that an earlier share has opened.
    const opened = page.waitForEvent('load', LONGEST_WAIT).catch(() => undefined);
    await sharePicture(page, { picture: Buffer.alloc(0), text });
    if (kills) {
      for (const each of [...waiting, share]) each.excuse = 'killed while it came';
      await pause(this.#random() * 400);
      return this.#restart();
    }
    await opened;
    if (!this.#user) {
      await expect(page.getByRole('region', { name: 'What you shared waits here' })).toBeVisible();
      return;
    }
    await page.waitForURL('**/chat');
    // Otherwise the next step may come before the page has it.
    if (waiting.length > 0 || this.#random() < 0.5) await this.#take(page);
  }

  /** Waits until a page's composer has the newest share, and sees whether it says that older ones are gone. */
  async #take(page: Page): Promise<void> {
    const untaken = this.#shares.filter(({ taken, excuse }) => !taken && !excuse);
    const newest = untaken.at(-1);
    if (!newest) return;
    await expect(composer(page)).toHaveValue(new RegExp(newest.text), LONGEST_WAIT);
    await expect.poll(() => waitingShares(page), LONGEST_WAIT).toBe(0);
    const shown = await composer(page).inputValue();
    for (const share of untaken) {
      share.taken = shown.includes(share.text);
      if (share.taken) continue;
      await expect(page.getByRole('alert')).toContainText('is gone');
      share.excuse = 'replaced and told';
    }
  }

  /** Sends what the composer of a new chat holds, now and then in two tabs that show it. */
  async #send(kills = false): Promise<void> {
    if (!this.#user) return;
    const page = this.#pick(this.#pages);
    await this.#leaveApp(page);
    await page.goto(`${this.#app.url}/chat`);
    await this.#take(page);
    // A kill may have taken what was sent with it, or what a composer had.
    const isFilled = await this.#isFilled(page);
    if (!isFilled) return;
    const other = this.#pages.find((each) => each !== page);
    const isTwice = other !== undefined && this.#random() < 0.5;
    if (isTwice) {
      await other.goto(`${this.#app.url}/chat`);
      await expect(composer(other)).toHaveValue(await composer(page).inputValue());
    }
    const senders = isTwice ? [page, other] : [page];
    await Promise.all(senders.map((each) => composer(each).press('Enter')));
    if (!kills) {
      for (const each of senders) await each.waitForURL('**/chat/archive/*');
      return;
    }
    await pause(this.#random() * 200);
    await this.#restart();
  }

  /** Waits until the composer shows the draft that the device has. Returns false if it has none. */
  async #isFilled(page: Page): Promise<boolean> {
    await composer(page).waitFor();
    if (!(await deviceKeys(page, 'drafts')).includes('new')) return false;
    await expect(composer(page)).toHaveValue(/share/);
    return true;
  }

  /** Other tabs that open the app would take a share whose own page was left before it had it. */
  async #leaveApp(page: Page): Promise<void> {
    for (const other of this.#pages) if (other !== page) await other.goto('about:blank');
  }

  async #restart(): Promise<void> {
    await this.end();
    await this.start();
  }

  async #stopWorker(): Promise<void> {
    const session = await (this.#browser as KillableBrowser).context.newCDPSession(this.#pick(this.#pages));
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await session.detach();
  }

  async #closeTab(): Promise<void> {
    if (this.#pages.length < 2) return;
    const page = this.#pick(this.#pages);
    this.#pages = this.#pages.filter((other) => other !== page);
    await page.close();
  }

  async #setOnline(isOnline: boolean): Promise<void> {
    this.#isOnline = isOnline;
    await this.#browser?.context.setOffline(!isOnline);
  }

  async #signOut(): Promise<void> {
    if (!this.#user) return;
    const page = this.#pick(this.#pages);
    const stored = this.#isOnline ? await questionsOf(this.#app, this.#user) : [];
    for (const share of this.#shares)
      if (!share.excuse && share.owner === this.#user && !stored.some((question) => question.includes(share.text)))
        share.excuse = 'deleted by a sign-out';
    await page.goto(`${this.#app.url}/home`);
    await logOut(page, this.#app.url);
    this.#user = undefined;
  }

  async logIn(): Promise<void> {
    if (this.#user) return;
    await this.#setOnline(true);
    const [page] = this.#pages as [Page];
    await this.#leaveApp(page);
    this.#user = this.#pick(this.#options.people);
    for (const share of this.#shares) share.owner ??= this.#user;
    await openAs(page, this.#app, this.#user, '/chat');
    await workerReady(page);
    await this.#take(page);
  }

  /** Ends all faults, and sends what is left. */
  async finish(): Promise<void> {
    await this.#setOnline(true);
    await this.logIn();
    await this.#send();
  }

  async report(): Promise<ShareReport> {
    const { people, seed } = this.#options;
    const faults = async () => {
      const stored = await Promise.all(people.map((person) => questionsOf(this.#app, person)));
      return this.#shares.flatMap((share) => {
        const owners = people.flatMap(
          (person, place) => stored[place]?.filter((text) => text.includes(share.text)).map(() => person) ?? [],
        );
        if (owners.length > 1) return `"${share.text}" is in ${owners.length} questions`;
        if (owners.length === 1) return owners[0] === share.owner ? [] : `"${share.text}" is with another user`;
        return share.excuse ? [] : `"${share.text}" is lost`;
      });
    };
    // The outbox still sends questions.
    for (let tries = 0; tries < 100 && (await faults()).length > 0; tries++) await pause(200);
    const found = await faults();
    const excused = this.#shares.filter(({ excuse }) => excuse).length;
    const shared = this.#shares.length;
    const story = `seed ${seed}: ${this.#done.join(', ')}`;
    return { shared, excused, delivered: shared - excused - found.length, faults: found.map((fault) => `${fault} (${story})`) };
  }
}
