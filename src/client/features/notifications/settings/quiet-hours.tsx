import { TextField } from '#client/ui/fields/field.tsx';
import { Switch } from '#client/ui/fields/switch.tsx';
import { Section } from '#client/ui/layout/section.tsx';
import type { NotificationSettings, NotificationSettingsBody } from '#contract/notifications/settings.ts';
import styles from './notification-settings.module.css';

/** A usual night, minutes of the day. */
const NIGHT = { from: 22 * 60, to: 7 * 60 };

interface QuietHoursProps {
  settings: NotificationSettings;
  onChange: (changes: Partial<NotificationSettingsBody>) => void;
}

/** When only urgent notifications are sent. */
export function QuietHours({ settings: { quiet, time_zone }, onChange }: QuietHoursProps) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  const set = (changed: Partial<typeof NIGHT>) => {
    const next = { ...(quiet ?? NIGHT), ...changed };
    if (next.from !== next.to) onChange({ quiet: next, time_zone: zone });
  };
  return (
    <Section title="Quiet hours">
      <div className={styles.body}>
        <Switch
          label="Quiet hours"
          detail="Notifications wait until the end, in one message if there are many. Urgent ones are still sent: a liquidation, a lost stop, a new sign-in."
          on={quiet !== null}
          onChange={(on) => (on ? set({}) : onChange({ quiet: null }))}
        />
        {quiet && (
          <>
            <div className={styles.times}>
              <TimeField key={`from ${quiet.from}`} label="From" minute={quiet.from} onChange={(from) => set({ from })} />
              <TimeField key={`to ${quiet.to}`} label="To" minute={quiet.to} onChange={(to) => set({ to })} />
            </div>
            <p className={styles.quiet}>
              Times of {time_zone}.{time_zone !== zone && ` This device is in ${zone}: a change of the hours uses that time zone.`}
            </p>
          </>
        )}
      </div>
    </Section>
  );
}

interface TimeFieldProps {
  label: string;
  minute: number;
  onChange: (minute: number) => void;
}

/** A time of the day. Saved when the user leaves it, because typing passes through other times. */
const TimeField = ({ label, minute, onChange }: TimeFieldProps) => (
  <TextField
    label={label}
    type="time"
    required
    defaultValue={`${two(Math.floor(minute / 60))}:${two(minute % 60)}`}
    onBlur={({ target }) => {
      const [hours, minutes] = target.value.split(':').map(Number);
      if (hours === undefined || minutes === undefined || Number.isNaN(hours * 60 + minutes)) return;
      if (hours * 60 + minutes !== minute) onChange(hours * 60 + minutes);
    }}
  />
);

const two = (value: number): string => String(value).padStart(2, '0');
