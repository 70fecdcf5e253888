interface Waiting {
  mode: LockMode;
  start: () => void;
}

type Work<T> = () => Promise<T>;

/** Web Locks for happy-dom: exclusive and shared requests in order, `signal`, `steal`, and `query()`. */
export class FakeLocks {
  #held = new Map<string, LockMode[]>();
  #waiting = new Map<string, Waiting[]>();

  request<T>(name: string, ...rest: [LockOptions, Work<T>] | [Work<T>]): Promise<T> {
    const [{ mode = 'exclusive', signal, steal }, work] = rest.length === 2 ? rest : [{} as LockOptions, rest[0]];
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        const held = this.#held.get(name) ?? [];
        held.push(mode);
        this.#held.set(name, held);
        void Promise.resolve()
          .then(work)
          .then(resolve, reject)
          .finally(() => this.#release(name, held, mode));
      };
      if (steal) {
        this.#held.delete(name);
        return start();
      }
      const waiting = { mode, start };
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), waiting]);
      signal?.addEventListener('abort', () => {
        const queue = this.#waiting.get(name) ?? [];
        if (!queue.includes(waiting)) return;
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal.reason);
      });
      this.#grant(name);
    });
  }

  async query(): Promise<LockManagerSnapshot> {
    const listed = (name: string, mode: LockMode) => ({ name, mode, clientId: 'test' });
    return {
      held: [...this.#held].flatMap(([name, modes]) => modes.map((mode) => listed(name, mode))),
      pending: [...this.#waiting].flatMap(([name, queue]) => queue.map(({ mode }) => listed(name, mode))),
    };
  }

  /** Forgets who holds a lock without granting it to the next, as Chromium can when a page ends. */
  forgetHolders(name: string) {
    this.#held.delete(name);
  }

  #release(name: string, held: LockMode[], mode: LockMode) {
    held.splice(held.indexOf(mode), 1);
    if (this.#held.get(name) === held) this.#grant(name);
  }

  #grant(name: string) {
    const queue = this.#waiting.get(name) ?? [];
    const held = this.#held.get(name) ?? [];
    const next = queue[0];
    if (!next || held.includes('exclusive') || (next.mode === 'exclusive' && held.length > 0)) return;
    queue.shift();
    next.start();
    this.#grant(name);
  }
}
