import { useEffect } from 'react';
import { awaitContent } from '../platform/cache/first-content.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';

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
