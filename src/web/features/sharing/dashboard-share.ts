import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';

/** What the dashboard button is called, and where it leads. */
export interface DashboardShare {
	path: '/dashboard/book' | '/dashboard/preview/book';
	label: string;
}

/**
 * The user-share, or the preview user-share: as an admin has set it, changing while one looks. Undefined while nobody
 * knows; the user-share where the setting cannot be had.
 */
export function useDashboardShare(): DashboardShare | undefined {
	const { data, isError } = useQuery(api.dashboardSettings.get.queryOptions());
	if (data === undefined && !isError) return undefined;
	return data?.showSharedFolders === false
		? { path: '/dashboard/preview/book', label: m.shared_button_course() }
		: { path: '/dashboard/book', label: m.shared_button_folders() };
}
