import { useEffect } from 'react';
import { awaitContent } from '../platform/cache/first-content';
import { PageHeader } from '../ui/page-header';
import { SkeletonRows } from '../ui/skeleton';

/** While a page's code is on its way: the frame that most pages have. */
export function PageSkeleton() {
  useEffect(awaitContent, []);
  return (
    <>
      <PageHeader title={<span className="sr-only">Loading</span>} />
      <SkeletonRows count={8} />
    </>
  );
}
