import { useState } from 'react';
import { useServerConfig } from '#client/platform/api/server-config.ts';
import { INSIGHT_PAGE } from '#client/platform/device-choices/insight-page.ts';
import { goBack } from '#client/platform/router/history.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { EXTERNAL } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { PRODUCT } from '#domain/product.ts';
import { IndicatorFrame } from './indicator-frame.tsx';
import styles from './insight-page.module.css';

type Shown = 'intro' | 'indicator';

const storedPage = (): Shown => (localStorage.getItem(INSIGHT_PAGE) === 'indicator' ? 'indicator' : 'intro');

/** `/training-insight`: an introduction, then the indicator in a frame. Reopens the one shown last. */
export default function InsightPage() {
  const [shown, setShown] = useState(storedPage);
  const show = (next: Shown) => {
    localStorage.setItem(INSIGHT_PAGE, next);
    setShown(next);
  };
  return (
    <>
      <PageHeader title="Chart Analysis" onBack={() => (shown === 'intro' ? goBack() : show('intro'))} />
      {shown === 'intro' ? <Intro onContinue={() => show('indicator')} /> : <IndicatorFrame />}
    </>
  );
}

function Intro({ onContinue }: { onContinue: () => void }) {
  const signUpUrl = useServerConfig()?.bots?.signUpUrl;
  return (
    <section className={styles.intro} aria-labelledby="intro">
      <span className={styles.sign}>
        <Icon name="chart" size={28} />
      </span>
      <h2 id="intro">Support and resistance for BTC</h2>
      <p>The bots' strategy follows the trend and enters at these levels. See how strong they are, and its signal at the current price.</p>
      <p className={styles.condition}>An exchange account registered with {PRODUCT}'s referral code is required.</p>
      <div className={styles.ways}>
        <Button block onClick={onContinue}>
          Continue
        </Button>
        {signUpUrl ? (
          <ButtonLink block variant="secondary" icon={EXTERNAL} href={signUpUrl} target="_blank" rel="noopener noreferrer">
            Sign Up
          </ButtonLink>
        ) : (
          // Keeps the button's place until the server has sent its address.
          <Button block variant="secondary" icon={EXTERNAL} disabled>
            Sign Up
          </Button>
        )}
        <ButtonLink block variant="ghost" href="/home">
          Home
        </ButtonLink>
      </div>
    </section>
  );
}
