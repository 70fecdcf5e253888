import type { ComponentProps } from 'react';
import { classes } from '#client/ui/classes.ts';
import { Card } from '#client/ui/layout/card.tsx';
import type { Money } from '#domain/bots/bot-money.ts';
import styles from './money-card.module.css';

/** A card about a bot. Its edge is solid for real money and dashed for play money. */
export const MoneyCard = ({ money, className, ...card }: ComponentProps<'div'> & { money: Money | undefined }) => (
  <Card {...card} className={classes(money && styles[money], className)} />
);
