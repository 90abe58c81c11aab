import { createContext, type ReactNode } from 'react';
import type { Person } from '#contract/people/people.ts';

/** What another feature offers to do with a person: an item in the menu of their card, drawn while the menu is open. */
export interface PersonAction {
	key: string;
	draw: (person: Person) => ReactNode;
}

/** Given by the screen, where features meet. */
export const PersonActionsContext = createContext<readonly PersonAction[]>([]);
