import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Highlighted } from '#client/ui/labels/highlighted.tsx';
import { highlight } from '#domain/text.ts';

describe('Highlighted', () => {
  it('marks the search match', () => {
    const { container } = render(<Highlighted parts={highlight('Bitcoin Cash', 'COIN')} />);
    expect(container.innerHTML).toBe('Bit<mark>coin</mark> Cash');
  });
});
