import { PRODUCT } from '../../domain/product';
import { goBack, useLocation } from '../platform/router/history';
import { ButtonLink } from '../ui/button';
import { PageHeader } from '../ui/page-header';
import { EmptyState } from '../ui/state';

/** What each address of spec §2 will be, and what holds until then. */
const PARTS: Record<string, { name: string; meanwhile: string }> = {
  '/training-insight': { name: 'Indicator', meanwhile: 'Support and resistance for BTC can be asked for in the chat.' },
};

/** A part of the product that is planned and not built: it says so. */
export default function NotOpenPage() {
  const { pathname } = useLocation();
  const part = PARTS[pathname.replace(/\/$/, '')];
  return (
    <>
      <PageHeader title={part?.name ?? PRODUCT} onBack={() => goBack()} />
      <EmptyState
        title={`This part of ${PRODUCT} is not open yet. ${part?.meanwhile ?? ''}`}
        action={<ButtonLink href="/home">Back to Home</ButtonLink>}
      />
    </>
  );
}
