import { goBack } from '../../platform/router/history';
import { useProfile } from '../../platform/session/profile';
import { PageHeader } from '../../ui/page-header';
import { SkeletonRows } from '../../ui/skeleton';
import { PricingView } from './pricing-view';

/** `/pricing` (spec §2). Its guard has seen to a profile. */
export default function PricingPage() {
  const { data, refresh } = useProfile();
  return (
    <>
      <PageHeader title="Order Pricing Plan" onBack={() => goBack()} />
      {data ? <PricingView user={data} refresh={refresh} /> : <SkeletonRows count={4} />}
    </>
  );
}
