import type { Icon } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';

/** An item of the navigation. */
export interface NavigationItem {
	path: string;
	label: string;
	icon: Icon;
	/** Number of waiting items, with its accessible text. */
	count?: { value: number; label: string } | undefined;
	/** Whether the current screen is this one or below it. */
	isCurrent: boolean;
}

export interface NavigationGroup {
	/** Heading of the group; undefined for the first group, which needs none. */
	heading?: string;
	items: NavigationItem[];
}

/** What the shell shows around every screen. */
export interface ShellState {
	user: { email: string; name: string | null; roleLabel: string };
	groups: NavigationGroup[];
	onLogout: () => void;
	/** Shown below the bar of every screen. */
	notice?: ReactNode;
}

export const ShellContext = createContext<ShellState | null>(null);

/** Returns the state of the shell around this component. */
export function useShell(): ShellState {
	const shell = useContext(ShellContext);
	if (shell === null) throw new Error('useShell needs a Shell above it');
	return shell;
}

/** Options of the navigation's links, which mark the current item by `isCurrent`: /admin is not /admin/audit. */
export const exactActive = { exact: true, includeSearch: false } as const;
