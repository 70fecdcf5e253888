import { useEffect, useState } from 'react';
import { shownMoney } from '#client/coins/money/money.ts';
import { afterContent } from '#client/platform/after-content.ts';
import { errorMessage } from '#client/platform/api/errors.ts';
import { chosenMoney } from '#client/platform/flags.ts';
import { Select } from '#client/ui/fields/select.tsx';
import { DISPLAY_CURRENCIES } from '#contract/market/display-currencies.ts';
import type { DisplayCurrency as Code } from '#contract/market/rates.ts';
import styles from './display-currency.module.css';

const NAMES: Record<Code | 'USD', string> = {
  USD: 'US Dollar',
  EUR: 'Euro',
  GBP: 'British Pound',
  JPY: 'Japanese Yen',
  CHF: 'Swiss Franc',
  CAD: 'Canadian Dollar',
  AUD: 'Australian Dollar',
  INR: 'Indian Rupee',
  BRL: 'Brazilian Real',
  KRW: 'South Korean Won',
  TRY: 'Turkish Lira',
};
const OPTIONS = (['USD', ...DISPLAY_CURRENCIES] as const).map((code) => ({ value: code, label: `${code} · ${NAMES[code]}` }));

/** Loads late, because the first screens share its code. */
const choosing = () => import('#client/coins/money/choose-money.ts');
const codeOf = (stored: string | null) => DISPLAY_CURRENCIES.find((code) => code === stored) ?? 'USD';

/** Chooses the currency of market figures on this device, and says its rate. */
export function DisplayCurrency() {
  const [code, setCode] = useState<Code | 'USD'>(() => codeOf(chosenMoney()));
  const [error, setError] = useState<string>();
  useEffect(() => {
    afterContent()
      .then(choosing)
      .then(({ refreshRates }) => refreshRates())
      .catch(() => undefined); // choosing loads it again, and says when that fails
  }, []);

  async function choose(next: Code | 'USD') {
    setError(undefined);
    try {
      const { chooseMoney } = await choosing();
      if (await chooseMoney(next === 'USD' ? undefined : next)) setCode(next);
      else setError(`There is no rate for ${next} yet. Please try again later.`);
    } catch (failure) {
      setError(errorMessage(failure));
    }
  }

  return (
    <div className={styles.field}>
      <Select label="Display currency" value={code} options={OPTIONS} onChange={(next) => void choose(next)} />
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <p className={styles.detail}>
        {shownMoney() && <>{shownMoney()?.note}. </>}
        {code !== 'USD' && !shownMoney() && <>There is no rate for {code} on this device: figures are in USD. </>}
        Market figures only. Bots, plans, filters and the analyst use USD.
      </p>
    </div>
  );
}
