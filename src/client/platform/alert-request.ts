import { createValue } from './create-value.ts';

/** What a part of the app knows of the alert that the user wants to set. */
export interface AlertRequest {
  /** The user chooses one if it is missing. */
  coin?: { id: number; name: string; symbol: string } | undefined;
  /** USD. */
  price?: number | undefined;
  /** Names the level at this price and who found it, such as "Resistance from the analyst". */
  level?: string | undefined;
  side?: 'above' | 'below' | undefined;
}

/** The alert that the user is asked about. The form's code loads with the first request. */
export const alertRequest = createValue<AlertRequest | undefined>(undefined);

/** Opens the form for a new alert on any page, filled with what is known. */
export const askForAlert = (request: AlertRequest): void => alertRequest.set(request);
