/** `npm run nightly` sets NIGHTLY=1: it runs every test, also those that `npm test` leaves out. */
export const isNightly = process.env.NIGHTLY === '1';

/** For tests that do not need the service worker, which fetches 60 files for each. They have it in `npm run nightly`. */
export const WORKER_AT_NIGHT = { serviceWorkers: isNightly ? 'allow' : 'block' } as const;
