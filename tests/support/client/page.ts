import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { GlobalWindow } from 'happy-dom';
import { vi } from 'vitest';
import { populateGlobal } from 'vitest/runtime';
import { OpenHandles } from './open-handles.ts';
import { SharedState } from './shared-state.ts';

/** Globals of Node.js that the window replaces, like vitest's own environment does. */
const REPLACED = [
  'Request',
  'Response',
  'MessagePort',
  'fetch',
  'Headers',
  'AbortController',
  'AbortSignal',
  'URL',
  'URLSearchParams',
  'FormData',
];

interface Worker {
  handles: OpenHandles;
  shared: SharedState;
  closePage?: (() => Promise<string[]>) | undefined;
}

/** What lasts from file to file. Only a global does, because modules load again for each file. */
const globals = globalThis as { __vitestClientWorker?: Worker };

/**
 * Opens a page in this worker: modules, window, storage and databases without a trace of the page before, which it closes.
 * Packages stay loaded, except those that vite.config.ts names in `deps.inline`.
 */
export async function openPage(): Promise<void> {
  await closePage();
  vi.resetModules();
  const handles = globals.__vitestClientWorker?.handles ?? new OpenHandles();
  const before = Object.getOwnPropertyDescriptors(globalThis);
  const window = new GlobalWindow({ console, url: 'http://localhost:3000', settings: { disableErrorCapturing: true } });
  populateGlobal(globalThis, window, { bindFunctions: true, additionalKeys: REPLACED });
  globalThis.indexedDB = new IDBFactory();
  globals.__vitestClientWorker ??= { handles, shared: new SharedState() };
  const worker = globals.__vitestClientWorker;

  worker.closePage = async () => {
    worker.closePage = undefined;
    const leaks = vi.isFakeTimers() ? ['fake timers'] : [];
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    leaks.push(...(await handles.closeAll()));
    await window.happyDOM.abort();
    window.close();
    restoreGlobals(before);
    return [...leaks, ...worker.shared.restore()];
  };
}

/**
 * Closes the open page like a browser's tab: its timers, channels, databases and listeners end. Returns the names of changes
 * that a tab cannot leave, such as `Element.prototype.click` or `process.env.TZ`, after undoing them.
 */
export async function closePage(): Promise<string[]> {
  return (await globals.__vitestClientWorker?.closePage?.()) ?? [];
}

/** Removes the window from the globals, so that code of a closed page that still runs fails. Keeps those of vitest. */
function restoreGlobals(before: PropertyDescriptorMap): void {
  for (const key of Object.getOwnPropertyNames(globalThis)) {
    if (key.startsWith('__vitest')) continue;
    const descriptor = Object.getOwnPropertyDescriptor(before, key)?.value;
    if (descriptor) Object.defineProperty(globalThis, key, descriptor);
    else Reflect.deleteProperty(globalThis, key);
  }
}
