import { PageHeader } from '../ui/page-header';
import { SkeletonRows } from '../ui/skeleton';

/** While a page's code is on its way: the frame that most pages have. */
export function PageSkeleton() {
  return (
    <>
      <PageHeader title="" />
      <SkeletonRows count={8} />
    </>
  );
}
