import { useEffect } from 'react';
import { awaitContent } from '../platform/cache/first-content.ts';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { PageHeader } from '../ui/layout/page-header.tsx';

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
