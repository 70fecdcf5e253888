import { PRODUCT } from '#domain/product.ts';
import { LegalDocument, type LegalSection } from './legal-document.tsx';

const SECTIONS: readonly LegalSection[] = [
  {
    id: 'information-we-collect',
    heading: 'Information we collect',
    body: (
      <>
        <h3>What you give us</h3>
        <ul>
          <li>Your first and last name, your email address and your password, of which we store only a hash.</li>
          <li>If you add them: your country and a profile picture.</li>
          <li>What you ask in chats, the pictures of charts that you upload, the answers, and the coins on your watchlist.</li>
          <li>Messages that you send to support, with the pictures attached to them.</li>
          <li>
            If you create a trading bot: its settings, and the API key of your exchange account with its secret and, at some exchanges, its
            passphrase. Secret and passphrase are sent once, when the bot is created, stored encrypted, used only to trade for you, and
            never shown or sent back.
          </li>
        </ul>
        <h3>What arises from use</h3>
        <ul>
          <li>
            Your plan, its renewal date, and how many questions and chart analyses you have used. We see no card numbers: the store has
            them.
          </li>
          <li>Orders and results of your bots.</li>
          <li>Technical records: times of requests, IP address, kind of browser, errors. They hold no passwords, codes or keys.</li>
        </ul>
        <h3>What stays on your device</h3>
        <p>
          So that you can read without a connection, the app keeps a copy of your chats, the coins you opened and your profile in the
          storage of your browser, and your session in encrypted form. Logging out removes all of it from that device.
        </p>
      </>
    ),
  },
  {
    id: 'how-we-use-it',
    heading: 'How we use it',
    body: (
      <>
        <p>We use this information to</p>
        <ul>
          <li>run the service: sign you in, answer your questions, keep your archive, show your plan, run the bots that you start;</li>
          <li>send what belongs to it: verification codes, notices about your account, replies from support;</li>
          <li>keep it safe: spot abuse, limit repeated attempts, find and mend faults;</li>
          <li>make it better, from figures that no longer point to a person;</li>
          <li>meet duties that the law puts on us.</li>
        </ul>
        <p>We show no advertising and build no profiles for it.</p>
      </>
    ),
  },
  {
    id: 'sharing',
    heading: 'Sharing',
    body: (
      <>
        <p>We do not sell your personal data, and we do not rent it out. It goes to others only as far as needed, and only to:</p>
        <ul>
          <li>
            companies that run parts of the service for us (hosting, mail delivery, a language model that answers questions), bound to use
            it for that alone;
          </li>
          <li>your exchange, when a bot of yours trades there;</li>
          <li>the app store and its payment service, to check a purchase;</li>
          <li>everyone who has a link that you made to a chat: its title, questions and answers, until the link expires or you stop it;</li>
          <li>authorities, when the law obliges us and the request is valid;</li>
          <li>a successor, if the service changes hands, under the promises made here.</li>
        </ul>
        <p>
          Coin pictures and the chart on a coin's page are loaded from market-data companies, which see your IP address when that happens.
          They are not told who you are.
        </p>
      </>
    ),
  },
  {
    id: 'subscription-policy',
    heading: 'Subscription policy',
    body: (
      <>
        <p>
          Subscriptions are sold and billed by the mobile app store. A subscription renews by itself unless you cancel it at least 24 hours
          before the current period ends. You manage and cancel it in the settings of your store account.
        </p>
        <p>
          Payments are non-refundable, except where the policy of the store provides for a refund; you ask the store for it. From the store
          we learn which plan was bought, until when it runs and whether it renews.
        </p>
      </>
    ),
  },
  {
    id: 'retention',
    heading: 'Retention',
    body: (
      <>
        <p>
          We keep your data as long as you have an account. You can delete single chats yourself. When you ask us to delete the account, we
          confirm the request by email and remove your data once it has been handled.
        </p>
        <p>
          Some records outlive that, for as long as the law demands or a claim is open, such as what proves a purchase. Technical records
          are kept briefly, and copies in backups disappear as the backups are replaced.
        </p>
      </>
    ),
  },
  {
    id: 'security',
    heading: 'Security',
    body: (
      <>
        <p>
          Data travels encrypted between you and us. Passwords are stored only as salted hashes, and exchange keys and sessions are
          encrypted where they lie. Our systems are audited regularly, and the people who run them sign in with two-factor authentication.
          You confirm your address with a code from your mailbox, and repeated wrong tries are stopped.
        </p>
        <p>
          No system is perfectly safe. Use a password that you use nowhere else, protect your mailbox and your exchange account with
          two-factor authentication too, and never give a bot a key that can withdraw. If a breach puts your data at risk, we tell you and
          the authorities as the law requires.
        </p>
      </>
    ),
  },
  {
    id: 'your-rights',
    heading: 'Your rights',
    body: (
      <>
        <p>Wherever you live, you may ask us</p>
        <ul>
          <li>what we hold about you, and for a copy that you can take elsewhere;</li>
          <li>to correct what is wrong; names, country and picture you change yourself in the app;</li>
          <li>to delete your account, by the deletion request that the app offers;</li>
          <li>to stop or restrict a use that you object to, and to forget a consent that you gave.</li>
        </ul>
        <p>
          We answer within a month, and you are treated no worse for asking. We may have to check that it is really you. If you are not
          content with the answer, you may turn to the data protection authority where you live.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    heading: 'Children under 13',
    body: (
      <p>
        {PRODUCT} is not meant for children under 13, and we do not knowingly collect their data. People under 18 need the permission of a
        parent or legal guardian. If you believe that a child under 13 has an account, tell us, and we delete it with its data.
      </p>
    ),
  },
  {
    id: 'changes',
    heading: 'Changes',
    body: (
      <p>
        When we change this policy, we put the new date on top. A change that matters is announced in the app or by email before it takes
        effect.
      </p>
    ),
  },
  {
    id: 'contact',
    heading: 'Contact',
    body: (
      <p>
        Questions about your data, and requests under section 7, reach us through Contact Us in the app. The{' '}
        <a href="/settings/terms-and-conditions">Terms and Conditions</a> say under which rules you use it.
      </p>
    ),
  },
];

/** `/settings/privacy-policies`. */
export default function PrivacyPage() {
  return (
    <LegalDocument
      title="Privacy Policy"
      dates="Last updated May 1, 2025."
      intro={<p>This policy says which personal data {PRODUCT} handles, what for, who else sees it, and what you can ask of us.</p>}
      sections={SECTIONS}
    />
  );
}
