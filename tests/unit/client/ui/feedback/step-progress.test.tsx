import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { StepProgress } from '#client/ui/feedback/step-progress.tsx';

describe('StepProgress', () => {
  it('announces the current step', () => {
    render(<StepProgress count={3} current={2} label="Introduction" />);
    const bar = screen.getByRole('progressbar', { name: 'Introduction' });
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax'), bar.children.length]).toEqual(['2', '3', 3]);
  });
});
