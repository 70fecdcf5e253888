/** `npm run nightly` sets NIGHTLY=1: tests then run at full length, also those that `npm test` leaves out. */
export const isNightly = process.env.NIGHTLY === '1';
