/** Cache Storage in memory, as far as the worker uses it. */
export class FakeCaches {
  readonly stored = new Map<string, FakeCache>();

  async open(name: string): Promise<FakeCache> {
    const cache = this.stored.get(name) ?? new FakeCache();
    this.stored.set(name, cache);
    return cache;
  }

  async match(key: string | Request, { cacheName }: { cacheName: string }): Promise<Response | undefined> {
    return this.stored.get(cacheName)?.match(key);
  }

  async delete(name: string): Promise<boolean> {
    return this.stored.delete(name);
  }
}

const hrefOf = (key: string | Request) => (typeof key === 'string' ? key : key.url);

/** Keeps its entries in the order of insertion, as the browser does. */
class FakeCache {
  readonly entries = new Map<string, Response>();

  async keys(): Promise<{ url: string }[]> {
    return [...this.entries.keys()].map((url) => ({ url }));
  }

  async match(key: string | Request): Promise<Response | undefined> {
    return this.entries.get(hrefOf(key))?.clone();
  }

  async put(key: string, response: Response): Promise<void> {
    this.entries.delete(key);
    this.entries.set(key, response);
  }

  async delete(key: string | Request): Promise<boolean> {
    return this.entries.delete(hrefOf(key));
  }
}
