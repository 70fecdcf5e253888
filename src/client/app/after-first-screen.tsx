import { useLocation } from '../platform/router/history.ts';
import { removeToast, toasts } from '../platform/toast.ts';
import { useValue } from '../platform/use-value.ts';
import { Toasts } from '../ui/feedback/toast.tsx';
import { AlertHost } from './alerts/alert-host.tsx';
import { usePageTitle } from './page-title.ts';
import { PaletteHost } from './palette/palette-host.tsx';
import { Prompts } from './prompts/prompts.tsx';
import { ReAuthenticationHost } from './re-authentication-host.tsx';
import { WaitingShare } from './shared/waiting-share.tsx';

/** Renders what every page has but no first screen needs. */
export function AfterFirstScreen() {
  usePageTitle(useLocation().pathname);
  return (
    <>
      <Prompts />
      <Toasts toasts={useValue(toasts)} onExpire={removeToast} />
      <WaitingShare />
      <PaletteHost />
      <AlertHost />
      <ReAuthenticationHost />
    </>
  );
}
