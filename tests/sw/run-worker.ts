import { vi } from 'vitest';
import { FakeCaches } from './fake-caches.ts';

export const ORIGIN = 'https://tidemark.test';
/** The cache of the app's files. Devices have it from versions with Workbox, so its name must not change. */
export const FILES = `workbox-precache-v2-${ORIGIN}/`;

type Listener = (event: object) => void;

export interface ManifestEntry {
  url: string;
  revision: string | null;
}

/** sw/index.ts between a fake browser and Cache Storage in memory. */
export interface RunningWorker {
  caches: FakeCaches;
  registration: { scope: string; installing: object | null; waiting: object | null };
  /** Dispatches an event. Rejects as what the worker passed to `waitUntil`. */
  dispatch(type: string, fields?: object): Promise<unknown>;
  /** Dispatches a fetch event. Returns the worker's answer; undefined when it leaves the request to the browser. */
  ask(path: string, request?: { mode?: RequestMode; method?: string; formData?: () => Promise<FormData> }): Promise<Response | undefined>;
}

/** Starts the worker of a build with these files. */
export async function runWorker(manifest: ManifestEntry[], caches = new FakeCaches()): Promise<RunningWorker> {
  const listeners = new Map<string, Listener[]>();
  const registration = { scope: `${ORIGIN}/`, installing: null, waiting: null };
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('OUTBOX_URL', '/assets/outbox-1.js');
  vi.stubGlobal('self', {
    __WB_MANIFEST: manifest,
    location: new URL(`${ORIGIN}/sw.js`),
    registration,
    clients: { claim: async () => undefined },
    drainContacts: async () => 'empty',
    skipWaiting: vi.fn(async () => undefined),
    addEventListener: (type: string, listener: Listener) => listeners.set(type, [...(listeners.get(type) ?? []), listener]),
  });
  vi.resetModules();
  await import('#sw/index.ts');

  const send = (type: string, event: object) => {
    const waits: Promise<unknown>[] = [];
    for (const listener of listeners.get(type) ?? []) {
      listener({ ...event, waitUntil: (work: Promise<unknown>) => waits.push(work) });
    }
    return Promise.all(waits);
  };
  return {
    caches,
    registration,
    dispatch: (type, fields = {}) => send(type, fields),
    async ask(path, { mode = 'cors', method = 'GET', formData } = {}) {
      let answer: Promise<Response> | undefined;
      const request = { url: new URL(path, ORIGIN).href, mode, method, formData };
      const respondWith = (given: Promise<Response>) => {
        answer = given;
      };
      void send('fetch', { request, respondWith });
      return answer;
    },
  };
}
