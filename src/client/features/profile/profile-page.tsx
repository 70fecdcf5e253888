import { goBack } from '../../platform/router/history';
import { useProfile } from '../../platform/session/profile';
import { PageHeader } from '../../ui/page-header';
import { ProfileSkeleton } from './profile-skeleton';
import { ProfileView } from './profile-view';

/** `/settings/profile` (spec §2). Its guard has seen to a profile. */
export default function ProfilePage() {
  const { data, refresh } = useProfile();
  return (
    <>
      <PageHeader title="Account" onBack={() => goBack('/settings/account')} />
      {data ? <ProfileView user={data} onSaved={refresh} /> : <ProfileSkeleton />}
    </>
  );
}
