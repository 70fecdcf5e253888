import { vi } from 'vitest';

/** Turns of the event loop without new work after which a page is at rest. Dexie and React need one for each step. */
const QUIET_TURNS = 5;

const MAX_TURNS = 2_000;

/** Records the timers and channels that a page opens, and closes them with it. Wraps the globals once for each worker. */
export class OpenHandles {
  #timers = new Set<NodeJS.Timeout>();
  #channels = new Set<BroadcastChannel>();
  #started = 0;
  readonly #nextTurn: () => Promise<void>;

  constructor() {
    const { setImmediate } = globalThis;
    this.#nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    this.#wrapTimer('setTimeout');
    this.#wrapTimer('setInterval');
    const started = () => {
      this.#started += 1;
    };
    globalThis.setImmediate = Object.assign((...given: Parameters<typeof setImmediate>) => {
      started();
      return setImmediate(...given);
    }, setImmediate);
    const opened = (channel: BroadcastChannel) => {
      started();
      this.#channels.add(channel);
    };
    globalThis.BroadcastChannel = class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        opened(this);
      }
    };
  }

  /** Closes everything until the page is at rest. Returns how it fails to rest. */
  async closeAll(): Promise<string[]> {
    this.#close();
    await vi.dynamicImportSettled();
    let started = -1;
    let quiet = 0;
    for (let turn = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn += 1) {
      this.#close();
      quiet = started === this.#started ? quiet + 1 : 0;
      started = this.#started;
      await this.#nextTurn();
    }
    this.#close();
    return quiet < QUIET_TURNS ? ['work that does not end'] : [];
  }

  #close() {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const channel of this.#channels) channel.close();
    this.#timers.clear();
    this.#channels.clear();
  }

  /** Immediates are not cleared: React's scheduler would wait for its one forever. */
  #wrapTimer(name: 'setTimeout' | 'setInterval') {
    const set = globalThis[name];
    const wrapped = (...given: Parameters<typeof setTimeout>) => {
      const timer = set(...given);
      this.#started += 1;
      this.#timers.add(timer);
      return timer;
    };
    Object.assign(globalThis, { [name]: Object.assign(wrapped, set) });
  }
}
