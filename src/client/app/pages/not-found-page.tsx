import { ButtonLink } from '#client/ui/buttons/button.tsx';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';

/** Any other path (spec §2). `default` is the router's mark for it. */
export function NotFoundPage(_props: { default: boolean }) {
  return (
    <EmptyState
      heading="404 - Page Not Found"
      title="Sorry, the page you are looking for does not exist."
      action={<ButtonLink href="/">Back to homepage</ButtonLink>}
    />
  );
}
