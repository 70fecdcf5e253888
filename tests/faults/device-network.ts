import { vi } from 'vitest';

export type Fault = 'request lost' | 'answer lost' | '500' | '422' | 'hangs before' | 'hangs after';

/** The network between a device and the server, in place of `fetch`. */
export interface Network {
  isUp(): boolean;
  setUp(up: boolean): void;
  /** Fault of the next message to support. */
  meet(fault: Fault): void;
  /** Ends all faults. */
  calm(): void;
  /** Resolves after a few turns of the event loop. */
  pause(turns: number): Promise<void>;
  end(): void;
}

const never = new Promise<never>(() => {});
const refusal = (status: number) => Response.json({ status, code: 'fault', message: `Fault: ${status}` }, { status });

/** @param device gives each device its own network address, so that limits per address do not apply. */
export function startNetwork(serverUrl: string, device: number): Network {
  const real = globalThis.fetch;
  let up = true;
  let next: Fault | undefined;

  const address = `10.${(device >> 16) & 255}.${(device >> 8) & 255}.${device & 255}`;

  function reach(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('x-forwarded-for', address);
    return real(new URL(String(input), serverUrl), { ...init, headers });
  }

  async function fetchThrough(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    if (!up) throw new TypeError('Failed to fetch');
    if (!String(input).includes('/contact-us/')) return reach(input, init);
    const fault = next;
    next = undefined;
    if (fault === '500' || fault === '422') return refusal(Number(fault));
    if (fault === 'request lost') throw new TypeError('Failed to fetch');
    if (fault === 'hangs before') return never;
    const response = await reach(input, init);
    if (fault === 'answer lost') throw new TypeError('Failed to fetch');
    return fault === 'hangs after' ? never : response;
  }

  vi.stubGlobal('fetch', fetchThrough);
  vi.stubGlobal('location', { origin: serverUrl });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });

  return {
    isUp: () => up,
    setUp(value) {
      up = value;
    },
    meet(fault) {
      next = fault;
    },
    calm() {
      up = true;
      next = undefined;
    },
    async pause(turns) {
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    },
    end() {
      vi.stubGlobal('fetch', real);
    },
  };
}
