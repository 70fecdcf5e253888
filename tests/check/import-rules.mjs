// Which folders may import which (docs/architecture.md). tests/check/import-rules.test.ts breaks each rule.
const CLIENT_BASE = 'src/(contract|domain)/';

/** Allows modules that match `from` to import, of our own code, only what matches `allowed`. */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|sw|tests)/', pathNot: `^(${allowed})` },
});

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
export const forbidden = [
  only('contract-stands-alone', '^src/contract/', 'src/contract/'),
  {
    name: 'contract-uses-zod-alone',
    severity: 'error',
    from: { path: '^src/contract/' },
    to: { dependencyTypesNot: ['local'], pathNot: '(^|/)node_modules/zod/' },
  },
  only('domain-obeys-contract', '^src/domain/', CLIENT_BASE),
  { name: 'domain-is-pure', severity: 'error', from: { path: '^src/domain/' }, to: { dependencyTypesNot: ['local'] } },
  only('ui-knows-no-subject', '^src/client/ui/', 'src/client/ui/'),
  only('coins-are-below-features', '^src/client/coins/', `src/client/(coins|platform|ui)/|${CLIENT_BASE}`),
  only('platform-is-below-features', '^src/client/platform/', `src/client/platform/|${CLIENT_BASE}`),
  // $1 is the importer's own feature: a new feature is covered without being named here.
  only('feature-stays-in-its-slice', '^src/client/features/([^/]+)/', `src/client/(features/$1|coins|platform|ui)/|${CLIENT_BASE}`),
  only('client-never-imports-server', '^src/client/', `src/client/|${CLIENT_BASE}`),
  only('worker-is-small', '^sw/', 'sw/|src/(contract|domain)/|src/client/platform/((db|first-screen|outbox|session|shared)/|settings\\.)'),
  {
    name: 'worker-has-no-react',
    severity: 'error',
    from: { path: '^sw/' },
    to: { path: '(^|/)node_modules/(react|react-dom|swr)/', reachable: true },
  },
  only('server-never-imports-client', '^src/server/', `src/server/|src/tools/kernel-lock\\.mjs|${CLIENT_BASE}`),
  only(
    'module-speaks-through-services',
    '^src/server/modules/([^/]+)/',
    `src/server/(modules/($1/|[^/]+/service\\.)|backtests/|blobs/|db/|ports/|http/|pictures/|realtime/|metrics/|tracing/|tokens/|jobs/|strategy/|[^/]+$)|${CLIENT_BASE}`,
  ),
  only('strategy-is-pure', '^src/server/strategy/', 'src/server/strategy/|src/domain/'),
  // The bot engine's folders, from the top down: each imports itself and what comes after it.
  ...['api', 'engine', 'keys', 'orders', 'positions', 'store', 'messages'].map((room, index, rooms) => ({
    name: `bots-${room}-imports-downward`,
    severity: 'error',
    from: { path: `^src/server/bots/${room}/` },
    to: { path: '^src/server/bots/', pathNot: `^src/server/bots/(${rooms.slice(index).join('|')})/` },
  })),
  {
    name: 'exchanges-open-by-their-table',
    severity: 'error',
    from: { path: '^src/server/', pathNot: '^src/server/ports/exchange/' },
    to: { path: '^src/server/ports/exchange/[^/]+/' },
  },
  // $1 is the exchange's own folder, `live` what all live exchanges share.
  {
    name: 'exchange-stands-alone',
    severity: 'error',
    from: { path: '^src/server/ports/exchange/([^/]+)/' },
    to: { path: '^src/server/ports/exchange/[^/]+/', pathNot: '^src/server/ports/exchange/($1|live)/' },
  },
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'everything-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'no-undeclared-package',
    severity: 'error',
    from: { path: '^(src|sw)/', pathNot: '^src/tools/|\\.config\\.' },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'undetermined'] },
  },
];
