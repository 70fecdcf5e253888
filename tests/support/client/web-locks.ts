interface Waiting {
  mode: LockMode;
  start: () => void;
}

/** Web Locks for happy-dom: exclusive and shared requests in order, and `query().held`. */
export class FakeLocks {
  #held = new Map<string, LockMode[]>();
  #waiting = new Map<string, Waiting[]>();

  request<T>(name: string, ...rest: [LockOptions, () => Promise<T>] | [() => Promise<T>]): Promise<T> {
    const [options, work] = rest.length === 2 ? rest : [{} as LockOptions, rest[0]];
    const mode = options.mode ?? 'exclusive';
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        this.#held.set(name, [...(this.#held.get(name) ?? []), mode]);
        void Promise.resolve()
          .then(work)
          .then(resolve, reject)
          .finally(() => this.#release(name, mode));
      };
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), { mode, start }]);
      this.#grant(name);
    });
  }

  async query(): Promise<LockManagerSnapshot> {
    const held = [...this.#held].flatMap(([name, modes]) => modes.map((mode) => ({ name, mode, clientId: 'test' })));
    return { held, pending: [] };
  }

  #release(name: string, mode: LockMode) {
    const modes = this.#held.get(name) ?? [];
    modes.splice(modes.indexOf(mode), 1);
    this.#grant(name);
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
