import { useLocation } from '../platform/router/history.ts';
import { Toasts } from '../ui/feedback/toast.tsx';
import { usePageTitle } from './page-title.ts';
import { Prompts } from './prompts/prompts.tsx';
import { ReAuthenticationHost } from './re-authentication-host.tsx';

/** What belongs to every page and none needs to be drawn. */
export function AfterFirstScreen() {
  usePageTitle(useLocation().pathname);
  return (
    <>
      <Prompts />
      <Toasts />
      <ReAuthenticationHost />
    </>
  );
}
