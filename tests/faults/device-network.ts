import { vi } from 'vitest';

export type Fault = 'request lost' | 'answer lost' | '500' | '422' | 'hangs before' | 'hangs after';

/** What lies between a device and the server. It takes the place of `fetch`. */
export interface Network {
  isUp(): boolean;
  setUp(up: boolean): void;
  /** What happens to the next message to support. */
  meet(fault: Fault): void;
  /** From now on nothing goes wrong any more. */
  calm(): void;
  /** Resolves some turns of the event loop later. */
  pause(turns: number): Promise<void>;
  end(): void;
}

const never = new Promise<never>(() => {});
const refusal = (status: number) => Response.json({ status, code: 'fault', message: `Fault: ${status}` }, { status });

/** `device` gives the device a network address of its own, so that no limit for one address is met. */
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
  vi.stubGlobal('localStorage', { removeItem: () => undefined });

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
