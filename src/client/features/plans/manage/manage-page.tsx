import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack } from '#client/platform/router/history.ts';
import { useProfile } from '#client/platform/session/profile.ts';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { ManageView } from './manage-view.tsx';

/** `/settings/manage-subscription`. The route's guard has loaded the profile; offline it comes from the device. */
export default function ManagePage() {
  const { data, savedAt, origin } = useProfile();
  const offline = !useReachable();
  return (
    <>
      <PageHeader title="Manage Subscription" onBack={() => goBack('/settings/account')} />
      {data ? (
        <ManageView subscription={data.userSubscription}>
          <SavedStamp savedAt={savedAt} origin={origin} offline={offline} />
        </ManageView>
      ) : (
        <SkeletonRows count={4} />
      )}
    </>
  );
}
