import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { LinkCard } from '#client/ui/layout/card.tsx';

describe('LinkCard', () => {
  it('is not a link without an address', () => {
    const card = (href?: string) => <LinkCard href={href} icon="chart" title="Trading Bot" text="why" disabled />;
    const { rerender } = render(card('/trading-bot'));
    expect(screen.getByRole('link').getAttribute('href')).toBe('/trading-bot');
    rerender(card());
    expect(screen.queryByRole('link')).toBeNull();
    screen.getByText('why');
  });
});
