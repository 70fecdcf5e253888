import type { ComponentProps } from 'react';
import type { Money } from '../../../domain/bot-money';
import { Card } from '../../ui/card';
import { classes } from '../../ui/classes';
import styles from './money-card.module.css';

/** A card about a bot: a solid edge around real money, a dashed one around what only plays it. */
export const MoneyCard = ({ money, className, ...card }: ComponentProps<'div'> & { money: Money | undefined }) => (
  <Card {...card} className={classes(money && styles[money], className)} />
);
