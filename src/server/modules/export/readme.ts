import { PRODUCT } from '#domain/product.ts';

/** Text of the archive's README.txt. */
export const readme = (startedAt: Date): string => `Your ${PRODUCT} data, exported on ${startedAt.toISOString()} (UTC).

export.json            Version of the format, and when the export was made
profile.json           Your name, e-mail address and country
subscription.json      Your plan; empty on the Free plan
chats.json             Your chats, their titles, and which are pinned
chat-messages.json     Your questions and the answers, in order, by chat (archive_id)
shared-chats.json      Chats you share by a link, as the link shows them
watchlist.json         Coins you put a heart on
alerts.json            Your price alerts
alert-history.json     When they fired, and at which prices
notifications.json     What we notified you of
notification-settings.json    Which notifications you want, and when
notification-channels.json    Where they are sent
notification-deliveries.json  What was sent, of the last 30 days
passkeys.json          Names and dates of your passkeys
devices.json           Devices that signed in to your account
support-messages.json  What you wrote to support, and the replies
bots.json              Your trading bots
deleted-bots.json      Bots you deleted; their trades are in bot-trades.json
bot-orders.json        What they ordered
bot-trades.json        Their trades
bot-journal.json       What happened to them
bot-equity.json        Their money over time
backtests.json         Your backtests and their results
pictures/              Your profile picture, pictures of chats, pictures you sent to support

The JSON files are UTF-8 text. Times are in UTC, amounts in USD unless a name says otherwise.
Each file shows your data as it was while that file was written; changes during the export may be in some files only.
Passwords, exchange keys and sign-in tokens are not in this archive. Neither is what your device has not sent yet.
`;
