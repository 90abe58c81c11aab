import type { Icon } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';

export interface NavigationItem {
	path: string;
	/** The part of the screen that the item leads to. */
	hash?: string;
	label: string;
	icon: Icon;
	count?: { count: number; label: string } | undefined;
	/** `page`: leads to the current screen; `true`: the current screen belongs to this item. For `aria-current`. */
	current: 'page' | 'true' | undefined;
	/** Opens in a new tab of the browser. */
	isExternal: boolean;
}

export interface NavigationTab {
	path: string;
	label: string;
	isCurrent: boolean;
}

export interface ShellState {
	groups: NavigationItem[][];
	/** Screens that belong together with the current screen; empty if there are none. */
	tabs: NavigationTab[];
	/** The screen that lists the current screen. */
	parent: { path: string; label: string } | undefined;
	onLogout: () => void;
	notice?: ReactNode;
}

export const ShellContext = createContext<ShellState | null>(null);

export function useShell(): ShellState {
	const shell = useContext(ShellContext);
	if (shell === null) throw new Error('useShell must be used below a Shell.');
	return shell;
}

/** Returns the properties of the router's link to an item of the navigation. */
export function navigationLinkProps({ path, hash, current, isExternal }: Omit<NavigationItem, 'icon'>) {
	return {
		to: path,
		hash,
		// Without `exact`, /admin would be active on /admin/audit; without `includeHash`, at the first steps too.
		activeOptions: { exact: true, includeSearch: false, includeHash: true },
		'aria-current': current,
		...(isExternal && { target: '_blank', preload: false as const }),
	};
}
