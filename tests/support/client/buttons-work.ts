import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';

/** Waits until no button is busy. An error shows a moment before the form's button works again. */
export const buttonsWork = () => waitFor(() => expect(document.querySelector('button[aria-busy]')).toBeNull());
