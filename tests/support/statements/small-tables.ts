/** Tables that `fillAtScale` leaves almost empty, and why they stay small with any number of users. */
export const SMALL_TABLES: Readonly<Record<string, string>> = {
  alert_prices: 'one row a coin with alerts',
  bot_signals: 'one row a candle, for a week',
  cleanup_marks: 'one row a cleanup',
  client_files: 'files of the builds of two weeks',
  kept_settings: 'one row a setting',
  leases: 'one row a kind of work that one process does',
  operator_switches: 'one row a stop that the operator sets',
  paper_feed: 'one row a change of the paper market',
  push_keys: 'one row',
  secret_fingerprints: 'one row a secret',
};
