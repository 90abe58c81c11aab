import { createContext, type ReactNode } from 'react';
import type { Person } from '#contract/people/people.ts';

/** What another feature offers to do with a person: an item in the menu of their card. */
export interface PersonAction {
	key: string;
	label: string;
	icon: ReactNode;
	onSelect: (person: Person) => void;
}

/** Given by the screen, where features meet. */
export const PersonActionsContext = createContext<readonly PersonAction[]>([]);
