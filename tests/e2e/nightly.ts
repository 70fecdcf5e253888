import { isNightly } from '#tests/support/nightly.ts';

/** For tests that do not need the service worker, which fetches 60 files for each. They have it in `npm run nightly`. */
export const WORKER_AT_NIGHT = { serviceWorkers: isNightly ? 'allow' : 'block' } as const;
