import { useLocation } from '../platform/router/history';
import { Toasts } from '../ui/toast';
import { usePageTitle } from './page-title';
import { Prompts } from './prompts';
import { ProofHost } from './proof-host';

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
