import { vi } from 'vitest';

/** Like `expect.poll` (vite.config.ts). The library's default of one second is too short on a busy machine. */
const LIMIT_MS = 25_000;

const withLimit = (options?: number | object) => (typeof options === 'number' ? options : { timeout: LIMIT_MS, ...options });

// Files without isolation share `vi`, and this file runs before each.
const shared: typeof vi & { hasLimits?: true } = vi;
if (!shared.hasLimits) {
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (callback, options) => waitFor(callback, withLimit(options));
  vi.waitUntil = (callback, options) => waitUntil(callback, withLimit(options));
  shared.hasLimits = true;
}
