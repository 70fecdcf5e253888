import { AccountPage } from '../../features/account/account-page';
import { DeleteAccount } from '../../features/help/delete-account';

/** `/settings/account`: a request to delete the account goes the way of all messages to support. */
export default function AccountWithDeletion() {
  return <AccountPage deletion={<DeleteAccount />} />;
}
