import type { Icon } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';

/** One place in the navigation. */
export interface NavigationItem {
	/** Address of the screen. */
	path: string;
	label: string;
	icon: Icon;
	/** Waiting things, with the words for them. */
	count?: { value: number; label: string } | undefined;
	/** Whether one is there, or below it. */
	isCurrent: boolean;
}

export interface NavigationGroup {
	/** Undefined for the first group, which needs no heading. */
	heading?: string;
	items: NavigationItem[];
}

/** What the shell shows around every screen. */
export interface ShellState {
	user: { email: string; name: string | null; roleLabel: string };
	groups: NavigationGroup[];
	onLogout: () => void;
	/** Stands below the bar of every screen. */
	notice?: ReactNode;
}

export const ShellContext = createContext<ShellState | null>(null);

/** The shell around this component. */
export function useShell(): ShellState {
	const shell = useContext(ShellContext);
	if (shell === null) throw new Error('useShell needs a Shell above it');
	return shell;
}

/** For the navigation's links, which say by `isCurrent` where one is: /admin is not current on /admin/audit. */
export const exactActive = { exact: true, includeSearch: false } as const;
