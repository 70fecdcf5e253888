/** Objects of Node.js that code under test may change. */
const OBJECTS = ['Math', 'JSON', 'Reflect', 'Intl', 'crypto', 'performance'];

/** The state that outlasts a page in its process: classes of the window and of Node.js, the environment, listeners. */
export class SharedState {
  #objects = new Map<string, object>();
  #properties = new Map<object, PropertyDescriptorMap>();
  #listeners = new Map<string | symbol, unknown[]>();
  #env = { ...process.env };

  /** Records the state. Needs a window among the globals. */
  constructor() {
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const value: unknown = Reflect.get(globalThis, name);
      if (OBJECTS.includes(name)) this.#record(name, value as object);
      if (typeof value !== 'function' || !/^[A-Z]/.test(name)) continue;
      this.#record(name, value);
      if (value.prototype) this.#record(`${name}.prototype`, value.prototype);
    }
    for (const event of process.eventNames()) this.#listeners.set(event, process.rawListeners(event));
  }

  /** Undoes changes. Returns their names, such as `Element.prototype.click`. */
  restore(): string[] {
    const changes = [...this.#objects].flatMap(([name, object]) => this.#restoreObject(name, object));
    return [...changes, ...this.#restoreEnv(), ...this.#restoreListeners()];
  }

  #record(name: string, object: object) {
    if (this.#properties.has(object)) return;
    this.#objects.set(name, object);
    this.#properties.set(object, Object.getOwnPropertyDescriptors(object));
  }

  #restoreObject(name: string, object: object): string[] {
    const recorded: PropertyDescriptorMap = this.#properties.get(object) ?? {};
    const keys = new Set([...Object.getOwnPropertyNames(object), ...Object.getOwnPropertyNames(recorded)]);
    return [...keys].flatMap((key) => {
      const descriptor = Object.getOwnPropertyDescriptor(recorded, key)?.value as PropertyDescriptor | undefined;
      if (isSame(Object.getOwnPropertyDescriptor(object, key), descriptor)) return [];
      if (descriptor) Reflect.defineProperty(object, key, descriptor);
      else Reflect.deleteProperty(object, key);
      return [`${name}.${key}`];
    });
  }

  #restoreEnv(): string[] {
    const keys = new Set([...Object.keys(process.env), ...Object.keys(this.#env)].filter((key) => !key.startsWith('VITEST_')));
    return [...keys].flatMap((key) => {
      const value = this.#env[key];
      if (process.env[key] === value) return [];
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
      return [`process.env.${key}`];
    });
  }

  #restoreListeners(): string[] {
    return process.eventNames().flatMap((event) => {
      const recorded = this.#listeners.get(event) ?? [];
      const added = process.rawListeners(event).filter((listener) => !recorded.includes(listener));
      for (const listener of added) process.off(event, listener as () => void);
      return added.map(() => `a listener of process for ${String(event)}`);
    });
  }
}

const isSame = (one?: PropertyDescriptor, other?: PropertyDescriptor) =>
  Object.is(one?.value, other?.value) && one?.get === other?.get && one?.set === other?.set;
