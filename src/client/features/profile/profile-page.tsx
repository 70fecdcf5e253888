import { goBack } from '#client/platform/router/history.ts';
import { useProfile } from '#client/platform/session/profile.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { ProfileSkeleton } from './profile-skeleton.tsx';
import { ProfileView } from './profile-view.tsx';

/** `/settings/profile`. The route's guard has loaded the profile. */
export default function ProfilePage() {
  const { data, refresh } = useProfile();
  return (
    <>
      <PageHeader title="Account" onBack={() => goBack('/settings/account')} />
      {data ? <ProfileView user={data} onSaved={refresh} /> : <ProfileSkeleton />}
    </>
  );
}
