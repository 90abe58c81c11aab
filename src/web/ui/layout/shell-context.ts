import type { Icon } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';

export interface NavigationItem {
	path: string;
	label: string;
	icon: Icon;
	count?: { count: number; label: string } | undefined;
	/** Whether the current screen belongs to this item. */
	isCurrent: boolean;
}

export interface NavigationGroup {
	/** The first group has no heading. */
	heading?: string;
	items: NavigationItem[];
}

export interface ShellState {
	groups: NavigationGroup[];
	onLogout: () => void;
	notice?: ReactNode;
}

export const ShellContext = createContext<ShellState | null>(null);

export function useShell(): ShellState {
	const shell = useContext(ShellContext);
	if (shell === null) throw new Error('useShell must be used below a Shell.');
	return shell;
}

/** For links of the navigation: without `exact`, /admin would be active on /admin/audit. */
export const exactActive = { exact: true, includeSearch: false } as const;
