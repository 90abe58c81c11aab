import type { Icon } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';

export interface NavigationItem {
	path: string;
	label: string;
	icon: Icon;
	count?: { count: number; label: string } | undefined;
	/** Whether the current screen is this one or below it. */
	isCurrent: boolean;
}

export interface NavigationGroup {
	/** Heading of the group; undefined for the first group, which needs none. */
	heading?: string;
	items: NavigationItem[];
}

export interface ShellState {
	groups: NavigationGroup[];
	onLogout: () => void;
	/** Shown below the bar of every screen. */
	notice?: ReactNode;
}

export const ShellContext = createContext<ShellState | null>(null);

export function useShell(): ShellState {
	const shell = useContext(ShellContext);
	if (shell === null) throw new Error('useShell must be used below a Shell.');
	return shell;
}

/** Options of the navigation's links, which mark the current item by `isCurrent`: /admin is not /admin/audit. */
export const exactActive = { exact: true, includeSearch: false } as const;
