import { Card } from '#client/ui/layout/card.tsx';
import { PLAN_TYPES, type PlanType } from '#contract/plan-types.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { PLAN_COMPARISON } from '#domain/plans/pricing.ts';
import styles from './plan-table.module.css';

/** Compares what a month of each plan has, with the selected plan marked. */
export const PlanTable = ({ selected }: { selected: PlanType }) => (
  <Card className={styles.card}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it */}
    <section className={styles.scroll} tabIndex={0} aria-label="Plans compared">
      <table className={styles.table}>
        <caption className="sr-only">What a month of each plan has</caption>
        <thead>
          <tr>
            <td />
            {PLAN_TYPES.map((plan) => (
              <th key={plan} scope="col" aria-current={plan === selected ? 'true' : undefined}>
                {PLANS[plan].name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {PLAN_COMPARISON.map(({ label, values }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {PLAN_TYPES.map((plan, at) => (
                <td key={plan} data-current={plan === selected}>
                  {values[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </Card>
);
