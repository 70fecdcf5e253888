import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { NotFoundPage } from '#client/app/pages/not-found-page.tsx';

it('says that the page does not exist, and links to the homepage', () => {
  render(<NotFoundPage />);
  expect(screen.getByRole('heading', { name: '404 - Page Not Found' })).toBeDefined();
  expect(screen.getByText('Sorry, the page you are looking for does not exist.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back to homepage' }).getAttribute('href')).toBe('/');
});
