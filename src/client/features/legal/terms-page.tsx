import { PRODUCT } from '#domain/product.ts';
import { LegalDocument, type LegalSection } from './legal-document.tsx';

const SECTIONS: readonly LegalSection[] = [
  {
    id: 'who-we-are',
    heading: 'Who we are',
    body: (
      <>
        <p>
          {PRODUCT} is a web app for people who follow cryptocurrency markets. It answers questions, reads pictures of charts, lists coins
          with their figures, keeps your past chats and, where you may use it, runs trading bots on an exchange account of yours. In these
          terms, "{PRODUCT}", "we" and "us" mean whoever operates the service that you reach at this address, and "you" means the person who
          uses it.
        </p>
        <p>
          We are not a bank, a broker, an exchange or an investment adviser. We never hold your money or your coins. Your exchange does,
          under its own terms.
        </p>
      </>
    ),
  },
  {
    id: 'registration-and-access',
    heading: 'Registration and access',
    body: (
      <>
        <h3>Age</h3>
        <p>
          You must be at least 13 years old to use {PRODUCT}. If you are under 18, you may use it only with the permission of a parent or
          legal guardian, who then agrees to these terms for you.
        </p>
        <h3>Your account</h3>
        <p>
          To use the app you register with your name, an email address and a password, and confirm the address with the code that we send to
          it. Give correct details and keep them correct. The account is yours alone: do not share it or let anyone else use it. Keep your
          password to yourself. What happens under your account counts as done by you, unless you have told us that somebody else got in and
          we could have stopped them.
        </p>
        <p>If you register for an organisation, you confirm that you are allowed to accept these terms in its name.</p>
      </>
    ),
  },
  {
    id: 'using-the-services',
    heading: 'Using the services',
    body: (
      <>
        <p>As long as you keep to these terms and to the law, you may use {PRODUCT} for yourself. You may not:</p>
        <ul>
          <li>use it for anything unlawful, or in a way that harms other people or their rights;</li>
          <li>get around limits, access rules or safety measures, or reach for the data of another user;</li>
          <li>copy, resell or take apart the service, except where the law or a licence that comes with it allows that;</li>
          <li>collect data from it by automated means, or load it so much that others suffer;</li>
          <li>pass off what the AI wrote as the work of a person, or as advice that a professional gave;</li>
          <li>upload pictures or text that you have no right to use.</li>
        </ul>
        <p>
          Market figures and charts come from other companies. The indicator page needs an exchange account that was registered with our
          referral code, and so does a trading bot; we may be paid by the exchange for such a registration. What those companies offer falls
          under their own terms.
        </p>
        <p>
          We may change, extend or remove parts of the service. If a change takes away something that you have paid for, we tell you in
          advance where that is possible.
        </p>
      </>
    ),
  },
  {
    id: 'subscriptions-and-payments',
    heading: 'Subscriptions and payments',
    body: (
      <>
        <p>
          There are four plans: Free, Basic, Pro and Premium. What each holds, its monthly limits and its price are shown in the app before
          you choose. The Free plan costs nothing.
        </p>
        <p>
          Paid plans are bought and billed through the mobile app store that you use. The store takes the payment, and its terms apply to
          it. A paid plan renews by itself for the same period unless you cancel at least 24 hours before the current period ends; you
          cancel in the settings of your store account. Until the period ends you keep what you paid for.
        </p>
        <p>
          Payments are not refunded, except where the store's own rules or the law that protects you say otherwise. If we change a price,
          the new one applies from your next renewal, and you hear of it early enough to cancel first.
        </p>
        <p>
          Questions and chart analyses that a plan includes cannot be carried into another month. An analysis counts also when the picture
          was too unclear for a useful answer.
        </p>
      </>
    ),
  },
  {
    id: 'content-and-ip',
    heading: 'Content and intellectual property',
    body: (
      <>
        <p>
          What you put in, such as questions and pictures of charts, stays yours. You allow us to store it, to process it and to pass it to
          those who help us run the service, as far as that is needed to answer you and to keep your archive. You are responsible for having
          the right to give it to us.
        </p>
        <p>
          Answers that you receive are for your own use, and between you and us they belong to you. Other users may receive similar answers
          to similar questions.
        </p>
        <p>
          The service itself, its name and its logo belong to us or to those who license them to us. Parts of the software come under open
          licences; where that is so, the licence counts.
        </p>
        <p>
          If you believe that something in the service infringes your rights, write to us with the details and we will look into it and
          remove what must go.
        </p>
      </>
    ),
  },
  {
    id: 'disclaimers-and-liability',
    heading: 'Disclaimers and liability',
    body: (
      <>
        <h3>No advice</h3>
        <p>
          Nothing in {PRODUCT} is financial, investment, legal or tax advice, or an invitation to buy or sell anything. Cryptocurrencies can
          lose all of their value. Decide for yourself, and ask a professional whom you trust before you risk money that you cannot spare.
        </p>
        <h3>AI answers</h3>
        <p>
          Answers are made by software. They can be wrong, incomplete or out of date, above all when a chart is unclear or has no
          indicators. Check what matters before you act on it. Market figures can be late or wrong too.
        </p>
        <h3>Automated trading</h3>
        <p>
          A trading bot places orders by itself, with borrowed money (leverage), on the account whose keys you gave it. Leverage multiplies
          losses as well as gains, and you can lose everything you put in within minutes. Results of the past and estimates that the app
          shows are no promise. Exchanges fail, connections break, and orders may be filled at other prices than expected or not at all. You
          decide whether a bot runs, you watch over it, and you alone bear its losses. Give a bot only keys that cannot withdraw funds. Bots
          trade bitcoin (BTC) and nothing else.
        </p>
        <h3>Where automated trading is not offered</h3>
        <p>
          US persons may not use automated trading. That means citizens and residents of the United States, people who are in the United
          States, and companies organised there or controlled by any of these. Nor may anyone use it where the law of their place forbids it
          or where they are under sanctions. By creating a bot you confirm that none of this applies to you. We may ask for proof and stop a
          bot when there is reason to doubt it.
        </p>
        <h3>As it is</h3>
        <p>
          The service comes as it is and as it is available. As far as the law allows, we give no warranty of any kind, among others that it
          is always there, free of errors, or fit for a certain purpose.
        </p>
        <h3>Limits of liability</h3>
        <p>
          As far as the law allows, we are not liable for indirect damage, lost profits, lost data or trading losses, and our whole
          liability is limited to the larger of 100 US dollars and what you paid us in the twelve months before the claim arose. Nothing
          here limits liability that the law does not let us limit, such as for intent or gross negligence. If your use of the service
          against these terms leads to claims of others against us, you bear the reasonable cost.
        </p>
      </>
    ),
  },
  {
    id: 'termination',
    heading: 'Termination',
    body: (
      <>
        <p>
          You may stop using {PRODUCT} at any time. Logging out removes your data from the device in your hand. To have the account itself
          deleted, send us the deletion request that the app offers; we confirm it by email and then delete the account by hand. Stop your
          bots and cancel your subscription at the store first: neither ends by itself with the account.
        </p>
        <p>
          We may suspend or close an account that breaks these terms, puts others or the service at risk, or must be closed by law. Unless
          that would be unlawful or dangerous, we tell you why, and you may object. The sections on content, disclaimers, liability and
          governing law go on to apply afterwards.
        </p>
      </>
    ),
  },
  {
    id: 'privacy',
    heading: 'Privacy',
    body: (
      <p>
        How we handle personal data is written in the <a href="/settings/privacy-policies">Privacy Policy</a>, which is part of these terms.
      </p>
    ),
  },
  {
    id: 'governing-law',
    heading: 'Governing law',
    body: (
      <>
        <p>
          These terms are governed by the law of the State of New York, without its rules on conflicts of laws. Disputes that we cannot
          settle with each other go to the state and federal courts in New York, unless the law that protects you as a consumer gives you
          another court or law.
        </p>
        <p>
          If one part of these terms turns out to be invalid, the rest stays in force. If we do not insist on a right once, we have not
          given it up. We may change these terms; when a change matters to you, we announce it in the app or by email before it takes
          effect, and using the service afterwards means that you accept it.
        </p>
      </>
    ),
  },
  {
    id: 'contact',
    heading: 'Contact',
    body: (
      <p>
        Questions about these terms reach us through Contact Us in the app. Write from the email address of your account, so that we know
        whom we are answering.
      </p>
    ),
  },
];

/** `/settings/terms-and-conditions`. */
export default function TermsPage() {
  return (
    <LegalDocument
      title="Terms and Conditions"
      dates="Published Apr 21, 2025. Effective Apr 21, 2025."
      intro={
        <p>
          These are the terms between you and {PRODUCT}. By creating an account or using the service you accept them. If you do not agree
          with them, please do not use it.
        </p>
      }
      sections={SECTIONS}
    />
  );
}
