import { AccountPage } from '#client/features/account/settings/account-page.tsx';
import { DeleteAccount } from '#client/features/help/delete-account.tsx';

/** `/settings/account`: a request to delete the account goes the way of all messages to support. */
export default function AccountWithDeletion() {
  return <AccountPage deletion={<DeleteAccount />} />;
}
