import { useReachable } from '../../platform/live/use-reachable';
import { goBack } from '../../platform/router/history';
import { useProfile } from '../../platform/session/profile';
import { PageHeader } from '../../ui/page-header';
import { SkeletonRows } from '../../ui/skeleton';
import { SavedStamp } from '../../ui/stamp';
import { ManageView } from './manage-view';

/** `/settings/manage-subscription` (spec §2), from the device where there is no connection. Its guard has seen to a profile. */
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
