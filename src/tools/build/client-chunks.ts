/** A file of the built client, named by the modules in it. A path is a prefix below `src`: of a file or of a folder. */
export interface ClientChunk {
  name: string;
  paths: readonly string[];
  /** Installed packages that belong to it. */
  packages?: readonly string[] | undefined;
  /** Prefixes within `paths` that other chunks take. */
  except?: readonly string[] | undefined;
  /** Only modules that so many entries share. */
  minShareCount?: number;
  priority?: number;
}

/** Name of the chunk that checks answers. */
export const ANSWERS = 'answers';

/** Name of the chunk that checks lists of conversations. */
export const ARCHIVES = 'archives';

/** Name of the chunk that reads what the device has stored. */
export const DB = 'db';

/** Name of the chunk with the columns of lists. */
export const COLUMNS = 'columns';

// Modules are grouped by path. Without groups, the first page would request twice as many files, and small files compress
// badly. tests/unit/tools/build/client-chunks.test.ts fails when a path matches no file.

/** Chunks that take their modules before `firstScreenChunks` does. */
export const earlyChunks: readonly ClientChunk[] = [
  {
    // Lists and other first screens share these with forms and with the checks of answers.
    name: 'base',
    paths: [
      'contract/bots/exchange-names',
      'contract/chat/archive-limits',
      'contract/market/choices',
      'contract/market/rankings',
      'domain/clock',
      'domain/format/format-',
      'domain/format/input-filters',
    ],
    except: ['domain/format/format-bytes'],
    minShareCount: 2,
    priority: 1,
  },
  {
    // What the device has stored: data and screens. A start on a device without data loads it after the first screen.
    name: DB,
    packages: ['dexie'],
    paths: [
      'client/platform/db/device-db',
      'client/platform/db/observe',
      'client/platform/db/user-db.',
      'client/platform/first-screen/screen-geometry',
      'client/platform/first-screen/take-over',
      'client/platform/session/clear-session',
      'client/platform/session/write-session',
    ],
    priority: 1,
  },
  {
    // The first screen of the market. Other lists share most of it.
    name: 'lists',
    paths: [
      'contract/market/coin-images',
      'domain/market/figures',
      'domain/market/list-address',
      'domain/market/ticks',
      'domain/market/watch-order',
      'client/app/pages/market-page',
      'client/coins/coin-icon',
      'client/coins/coin-row',
      'client/coins/coin-table',
      'client/coins/live-figures',
      'client/coins/market-tabs/',
      'client/coins/local-coins',
      'client/coins/price',
      'client/coins/source-line',
      'client/coins/tint',
      'client/features/market/list/',
      'client/features/market/alerts-slot',
      'client/features/market/watchlist-slot',
      'client/features/watchlist/heart-commands',
      'client/features/watchlist/use-watched',
      'client/features/watchlist/watched.',
      'client/platform/after-content',
      'client/platform/after-frame',
      'client/platform/cache/',
      'client/platform/live/coin-ticks',
      'client/platform/use-growing',
      'client/ui/buttons/floating-link',
      'client/ui/feedback/saved-stamp',
      'client/ui/hooks/use-minutes',
      'client/ui/hooks/use-wide',
      'client/ui/labels/chip',
      'client/ui/labels/format-age',
      'client/ui/layout/two-pane',
    ],
    minShareCount: 1,
    priority: 1,
  },
  {
    // Follow the first content of a list. A stored screen has them already, so they load with the take-over.
    name: COLUMNS,
    paths: ['client/coins/wide/'],
    priority: 1,
  },
  {
    // Checks the first answers; for Home and the archive, with the chunk behind it. Loads while their requests are under way; a start without a connection does not wait for it.
    name: ANSWERS,
    packages: ['zod'],
    paths: ['contract/account/tokens', 'contract/envelope', 'contract/errors', 'contract/market/market.', 'contract/text'],
    priority: 1,
  },
  { name: ARCHIVES, paths: ['contract/chat/archive.', 'contract/names'], minShareCount: 1, priority: 1 },
];

/** Chunks of what remains. */
export const lateChunks: readonly ClientChunk[] = [
  // Checks the profile.
  { name: 'user', paths: ['contract/account/user', 'contract/subscription'], priority: 1 },
  {
    // Many pages share these, but no first screen needs them.
    name: 'forms',
    paths: [
      'client/platform/passkeys/offer',
      'client/platform/notes/sealed-note',
      'client/platform/passkeys/support',
      'client/ui/fields/field',
      'client/ui/fields/password-checklist',
      'contract/account/account',
      'contract/notifications/',
    ],
    minShareCount: 2,
    priority: 1,
  },
  {
    // The first pages of a visitor need nothing else.
    name: 'welcome',
    paths: ['client/features/onboarding/', 'client/ui/feedback/step-progress'],
    priority: 1,
  },
  {
    name: 'shared',
    paths: ['client/coins/', 'client/features/chat/figure/source-lines', 'client/platform/', 'client/ui/', 'contract/', 'domain/'],
    except: [
      'client/coins/money/choose-money',
      'client/coins/money/other-money',
      'client/platform/passkeys/',
      'client/platform/session/re-authentication',
      'contract/account/passkeys',
      'contract/account/sessions',
    ],
    minShareCount: 2,
    priority: 1,
  },
  {
    // Starts its work after the first screen, whichever that is.
    name: 'behind',
    paths: [
      'contract/account/sessions',
      'client/app/after-first-screen',
      'client/app/alerts/alert-host',
      'client/app/alerts/on-row-menu',
      'client/app/go-live',
      'client/app/palette/palette-host',
      'client/app/prompts/',
      'client/app/re-authentication-host',
      'client/app/shared/',
      'client/features/alerts/start-',
      'client/features/archive/follow-',
      'client/features/market/keep-offline',
      'client/features/market/warm-coin-images',
      'client/features/notifications/follow-',
      'client/features/push/push.',
      'client/features/push/start-',
      'client/features/watchlist/coin-heart',
      'client/features/watchlist/follow-',
      'client/platform/first-screen/keep-',
      'client/platform/first-screen/screen-',
      'client/platform/first-screen/serialize-',
      'client/platform/first-screen/kept-pages',
      'client/platform/live/receive-ticks',
      'client/platform/notifications/',
      'client/platform/outbox/',
      'client/platform/session/re-authentication',
      'client/ui/feedback/toast',
    ],
    except: ['client/app/prompts/passkey-prompt'],
  },
  // Small pages of one kind: the worker downloads and caches half as many files.
  {
    // Sign-up and login. The pages behind a mail's link or code follow.
    name: 'account',
    paths: ['client/features/account/'],
    except: [
      'client/features/account/recovery/reset-password',
      'client/features/account/sign-in/passkey-sign-in',
      'client/features/account/sign-in/pending-',
      'client/features/account/verification/code-',
      'client/features/account/verification/mailbox-',
      'client/features/account/verification/resend-',
      'client/features/account/verification/verification-form',
      'client/features/account/verification/verification-page',
      'client/features/account/verification/verify-',
    ],
  },
  {
    // Loads with the first use of a passkey, and behind the content of /login.
    name: 'passkeys',
    packages: ['@simplewebauthn/browser'],
    paths: [
      'client/app/prompts/passkey-prompt',
      'client/features/account/sign-in/passkey-sign-in',
      'client/platform/passkeys/ceremonies',
      'contract/account/passkeys',
    ],
  },
  {
    name: 'verification',
    paths: ['client/features/account/recovery/', 'client/features/account/verification/'],
    except: ['client/features/account/verification/mailbox-'],
  },
  {
    name: 'settings',
    paths: [
      'client/features/devices/',
      'client/features/help/',
      'client/app/pages/notification-page',
      'client/features/notifications/',
      'client/features/plans/',
      'client/features/profile/',
    ],
  },
  // One file, because its parts are small.
  {
    name: 'alerts',
    paths: ['client/app/alerts/', 'client/app/pages/coin-alert-parts', 'client/features/alerts/', 'contract/alerts/'],
    except: ['client/app/alerts/alert-host', 'client/app/alerts/on-row-menu', 'client/features/alerts/start-'],
  },
  {
    name: 'archive',
    paths: ['client/features/archive/archive-dialog', 'client/features/archive/archive-sidebar'],
  },
  // What the share dialog, the list of links and a shared chat have in common.
  { name: 'links', paths: ['client/features/chat/links/link-', 'client/features/chat/links/use-loaded'], minShareCount: 2 },
  { name: 'coin', paths: ['client/features/market/chart/', 'client/features/market/coin/'] },
  { name: 'bots', paths: ['client/features/bots/'] },
  { name: 'insight', paths: ['client/features/insight/'] },
  { name: 'legal', paths: ['client/features/legal/'] },
];

const alternatives = (prefixes: readonly string[]) => prefixes.map((prefix) => prefix.replaceAll('.', '\\.')).join('|');

/** Returns the pattern for module ids that belong to the chunk. */
export function patternOf({ paths, except = [], packages = [] }: Pick<ClientChunk, 'paths' | 'except' | 'packages'>): RegExp {
  const ours = `/src/${except.length > 0 ? `(?!${alternatives(except)})` : ''}(?:${alternatives(paths)})`;
  return new RegExp([ours, ...packages.map((name) => `/node_modules/${name}/`)].join('|'));
}
