import { MAX_ALERTS, MAX_WATCHLIST_ALERTS } from '#contract/alerts/alert-limits.ts';
import { MAX_ARCHIVES } from '#contract/chat/archive-limits.ts';
import { MAX_WATCHLIST_COINS } from '#contract/market/watchlist.ts';
import { formatCount } from '#domain/format/format-count.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportResult } from './run-import.ts';

export interface PreviewLine {
  /** What would be added. */
  main: string;
  /** What would not, and why. */
  details: string[];
}

/** Says for each kind of data what would be added, and what not. */
export function previewLines({ chats, messages, coins, alerts }: ImportPlan): PreviewLine[] {
  const lines = [
    {
      main: addsTo('chats', listed([counted(chats.added, 'chat'), counted(messages.added, 'question')])),
      details: [
        presentText(chats.present, 'chat'),
        left(messages.unanswered, 'question', 'without an answer'),
        left(chats.empty, 'chat', 'without an answered question'),
        left(chats.over, 'chat', `beyond ${MAX_ARCHIVES.toLocaleString('en-US')}`),
        left(chats.over > 0 ? 0 : messages.over, 'question', 'beyond the limit of an account'),
        left(chats.unreadable, 'chat', 'that cannot be read'),
        left(messages.unreadable, 'question', 'that cannot be read'),
      ],
    },
    {
      main: addsTo('coins', counted(coins.add.length, 'coin')),
      details: [
        presentText(coins.present, 'coin'),
        left(coins.over, 'coin', `beyond the ${MAX_WATCHLIST_COINS} of a watchlist`),
        left(coins.unreadable, 'coin', 'that cannot be read'),
      ],
    },
    {
      main: addsTo('alerts', counted(alerts.add.length, 'alert')),
      details: [
        presentText(alerts.present, 'alert'),
        left(alerts.expired, 'alert', 'that expired'),
        left(alerts.fired, 'alert', 'that fired already'),
        left(alerts.over, 'alert', `beyond the ${MAX_ALERTS} of an account, or ${MAX_WATCHLIST_ALERTS} for the whole watchlist`),
        left(alerts.unreadable, 'alert', 'that cannot be read'),
      ],
    },
  ];
  return lines.map(({ main, details }) => ({ main, details: details.filter(Boolean) }));
}

const TARGETS = { chats: 'chats', coins: 'coins in your watchlist', alerts: 'alerts' } as const;

const addsTo = (kind: keyof typeof TARGETS, added: string): string =>
  added ? `${added} would be added${kind === 'coins' ? ' to your watchlist' : ''}` : `No new ${TARGETS[kind]}`;

const counted = (count: number, one: string): string => (count > 0 ? formatCount(count, one) : '');

const left = (count: number, one: string, why: string): string => (count > 0 ? `${formatCount(count, one)} ${why}: left out` : '');

const presentText = (count: number, one: string): string =>
  count > 0 ? `${formatCount(count, one)} ${count === 1 ? 'is' : 'are'} here already` : '';

const listed = (parts: readonly string[]): string => new Intl.ListFormat('en-US').format(parts.filter(Boolean));

/** Says what an import has added. */
export const addedText = (result: ImportResult): string => allAdded(result) || 'Nothing was added';

/** Says what a canceled import has added, as far as is known: the answer to its last request is not. */
export const canceledText = (result: ImportResult): string => allAdded(result) || 'You canceled the import';

/** Says what a stopped import has added; empty if nothing is known: the answer to its last request may be lost. */
export const soFarText = (result: ImportResult): string => allAdded(result) && `${allAdded(result)} so far. `;

/** Empty if nothing was added. */
function allAdded({ chats, messages, coins, alerts, settings }: ImportResult): string {
  const added = listed([
    counted(chats, 'chat'),
    counted(messages, 'question'),
    counted(coins, 'coin'),
    counted(alerts, 'alert'),
    settings ? 'your notification settings' : '',
  ]);
  return added && `Added ${added}`;
}

/** Says what the server refused; empty if nothing. */
export function refusedText({ refused: { chats, messages, coins, alerts, settings, pictures } }: ImportResult): string {
  const refused = listed([
    counted(chats, 'chat'),
    counted(messages, 'question'),
    counted(coins, 'coin'),
    counted(alerts, 'alert'),
    settings > 0 ? 'the notification settings' : '',
  ]);
  return [
    refused && `The server did not accept ${refused}.`,
    pictures > 0 && `${formatCount(pictures, 'question')} came without ${pictures === 1 ? 'its picture' : 'their pictures'}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
