import { Section } from '#client/ui/layout/section.tsx';
import type { Notification } from '#contract/notification.ts';
import type { ChannelName } from '#contract/notifications/channels.ts';
import type { NotificationChoices } from '#contract/notifications/choices.ts';
import type { NotificationSettings } from '#contract/notifications/settings.ts';
import { isWanted } from '#domain/notifications/wanted.ts';
import styles from './notification-settings.module.css';

const KINDS: readonly { kind: Notification['kind']; title: string }[] = [
  { kind: 'alert', title: 'Price alerts' },
  { kind: 'bot', title: 'Trading bots' },
  { kind: 'security', title: 'Security' },
  { kind: 'support', title: 'Support' },
  { kind: 'subscription', title: 'Plan' },
];

interface KindChoicesProps {
  settings: NotificationSettings;
  onChange: (choices: NotificationChoices) => void;
}

/** By which channels each kind of notification goes. */
export const KindChoices = ({ settings, onChange }: KindChoicesProps) => {
  const { choices } = settings;
  return (
    <Section title="What is sent">
      {KINDS.map(({ kind, title }) => (
        <fieldset key={kind} className={styles.kind}>
          <legend className={styles.title}>{title}</legend>
          {channelsOf(settings).map(({ channel, name }) => (
            <label key={channel} className={styles.choice}>
              <input
                type="checkbox"
                checked={isWanted(choices, kind, channel)}
                onChange={({ target }) => onChange({ ...choices, [kind]: { ...choices[kind], [channel]: target.checked } })}
              />
              {name}
            </label>
          ))}
        </fieldset>
      ))}
    </Section>
  );
};

/** The channels that reach the user. */
function channelsOf({ telegram, webhook, browsers }: NotificationSettings): { channel: ChannelName; name: string }[] {
  return [
    { channel: 'email', name: 'E-mail' } as const,
    ...(browsers > 0 ? [{ channel: 'push', name: 'Push' } as const] : []),
    ...(telegram ? [{ channel: 'telegram', name: 'Telegram' } as const] : []),
    ...(webhook ? [{ channel: 'webhook', name: 'Webhook' } as const] : []),
  ];
}
