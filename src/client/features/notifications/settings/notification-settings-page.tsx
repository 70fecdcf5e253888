import { type ReactNode, useId } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { goBack } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { RefusalReason } from '#client/ui/buttons/refusable-button.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { Section } from '#client/ui/layout/section.tsx';
import { Destination } from './destination.tsx';
import { KindChoices } from './kind-choices.tsx';
import styles from './notification-settings.module.css';
import { QuietHours } from './quiet-hours.tsx';
import { Telegram } from './telegram.tsx';
import { type Preferences, usePreferences } from './use-preferences.ts';
import { Webhook } from './webhook.tsx';

/** `/settings/notification/settings`: which notifications leave the app, by which channel, and when. `device`: what this device shows. */
export default function NotificationSettingsPage({ device }: { device: ReactNode }) {
  const userId = useClaims().sub;
  const preferences = usePreferences(userId);
  return (
    <>
      <PageHeader title="Notification settings" onBack={() => goBack('/settings/notification')} />
      <div className={styles.page}>
        <p className={styles.quiet}>
          Every notification shows in the app. Urgent ones are also mailed if nothing shows them within two minutes.
        </p>
        {device}
        <Content userId={userId} preferences={preferences} />
      </div>
    </>
  );
}

function Content({ userId, preferences }: { userId: string; preferences: Preferences }) {
  const { data, error, offline, refused, refresh, change } = preferences;
  const reason = useId();
  if (!data && offline) return <EmptyState title="You are offline. These settings show here when you are back online." />;
  if (!data && error !== undefined)
    return (
      <ErrorState
        title="Your settings could not be loaded"
        detail={`${errorMessage(error)} They stay as they are.`}
        action={<Button onClick={() => void refresh()}>Try again</Button>}
      />
    );
  if (!data)
    return (
      <Section title="What is sent">
        <SkeletonRows count={5} row={<Skeleton width="60%" height={20} />} />
      </Section>
    );
  return (
    <>
      <RefusalReason id={reason}>{offline && 'You can change these settings once you are online.'}</RefusalReason>
      {refused && <FormError>{refused}</FormError>}
      <fieldset className={styles.rooms} disabled={offline} aria-describedby={reason}>
        <KindChoices settings={data} onChange={(choices) => change({ choices })} />
        <QuietHours settings={data} onChange={change} />
        <Section title="Where it is sent">
          <Destination title="E-mail" name={data.email}>
            {null}
          </Destination>
          {data.has_telegram && <Telegram userId={userId} reached={data.telegram} onChanged={refresh} />}
          <Webhook userId={userId} reached={data.webhook} onChanged={refresh} />
        </Section>
      </fieldset>
    </>
  );
}
