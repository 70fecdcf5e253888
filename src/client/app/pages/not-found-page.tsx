import { ButtonLink } from '#client/ui/buttons/button.tsx';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';

/** The page of an unknown address. */
export function NotFoundPage() {
  return (
    <EmptyState
      heading="404 - Page Not Found"
      title="Sorry, the page you are looking for does not exist."
      action={<ButtonLink href="/">Back to homepage</ButtonLink>}
    />
  );
}
