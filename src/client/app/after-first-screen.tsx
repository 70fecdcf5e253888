import { useLocation } from '../platform/router/history.ts';
import { Toasts } from '../ui/toast.tsx';
import { usePageTitle } from './page-title.ts';
import { Prompts } from './prompts.tsx';
import { ProofHost } from './proof-host.tsx';

/** What belongs to every page and none needs to be drawn. */
export function AfterFirstScreen() {
  usePageTitle(useLocation().pathname);
  return (
    <>
      <Prompts />
      <Toasts />
      <ProofHost />
    </>
  );
}
