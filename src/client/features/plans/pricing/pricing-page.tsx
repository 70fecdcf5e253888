import { goBack } from '#client/platform/router/history.ts';
import { useProfile } from '#client/platform/session/profile.ts';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { PricingView } from './pricing-view.tsx';

/** `/pricing`. The route's guard has loaded the profile. */
export default function PricingPage() {
  const { data, refresh } = useProfile();
  return (
    <>
      <PageHeader title="Order Pricing Plan" onBack={() => goBack()} />
      {data ? <PricingView user={data} refresh={refresh} /> : <SkeletonRows count={4} />}
    </>
  );
}
