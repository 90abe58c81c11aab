import { IconListCheck } from '@tabler/icons-react';
import type { Role } from '#contract/accounts/account.ts';
import { m } from '#messages';
import type { NavigationItem, ShellState } from '#web/ui/layout/shell-context.ts';
import { type NavigationArea, navigationAreas } from './navigation-areas.ts';

interface NavigationState {
	pendingOrders?: number;
	unreadChat?: number;
	/** Number of first steps that are not done, if the list is shown. */
	openSteps?: number;
	/** Whether the address names the first steps. */
	isAtSteps?: boolean;
	/** Path that the dashboard button opens; undefined while unknown. */
	dashboardShare?: string | undefined;
}

/** Of these two screens, the navigation contains only the screen that the dashboard button opens. */
const dashboardButtonPaths = ['/dashboard/book', '/dashboard/preview/book'];

/** Returns the navigation of a role: its items, and the tabs or the parent screen of the current screen. */
export function navigationFor(
	role: Role,
	pathname: string,
	{ pendingOrders = 0, unreadChat = 0, openSteps = 0, isAtSteps = false, dashboardShare }: NavigationState = {},
): Pick<ShellState, 'groups' | 'tabs' | 'parent'> {
	const chat = { count: unreadChat, label: m.chat_unread({ count: unreadChat }) };
	const counts: Record<string, NavigationItem['count']> = {
		'/Bookdashboard': { count: pendingOrders, label: m.common_orders_pending({ count: pendingOrders }) },
		'/contact': chat,
		'/admin/contact': chat,
	};
	const groups = navigationAreas
		.map((areas) =>
			areas
				.filter((area) => area.for === role)
				.filter(({ path }) => !dashboardButtonPaths.includes(path) || path === dashboardShare),
		)
		.filter((areas) => areas.length > 0);
	const currentArea = groups.flat().find((area) => isPartOf(area, pathname));
	const { tabs = [] } = currentArea ?? {};
	const isStepsItemCurrent = isAtSteps && openSteps > 0;
	return {
		groups: [
			...(openSteps === 0 ? [] : [[firstStepsItem(openSteps, isStepsItemCurrent)]]),
			...groups.map((areas) =>
				areas.map(
					(area): NavigationItem => ({
						path: area.path,
						label: area.label(),
						icon: area.icon,
						current: area !== currentArea || isStepsItemCurrent ? undefined : isAt(area, pathname) ? 'page' : 'true',
						count: counts[area.path],
						isExternal: area.isExternal ?? false,
					}),
				),
			),
		],
		tabs: tabs.some((tab) => isAt(tab, pathname))
			? tabs.map((tab) => ({ path: tab.path, label: tab.label(), isCurrent: isAt(tab, pathname) }))
			: [],
		parent:
			currentArea?.sections !== undefined && !isAt(currentArea, pathname)
				? { path: currentArea.path, label: currentArea.label() }
				: undefined,
	};
}

/** Leads to the first steps, which are a part of the users screen. */
function firstStepsItem(count: number, isCurrent: boolean): NavigationItem {
	return {
		path: '/admin',
		hash: 'first-steps',
		label: m.setup_title(),
		icon: IconListCheck,
		count: { count, label: m.setup_left({ count }) },
		current: isCurrent ? 'page' : undefined,
		isExternal: false,
	};
}

/** Whether the screen belongs to the area. Of several areas with the same screen, the first one counts. */
function isPartOf(area: NavigationArea, pathname: string): boolean {
	const listed = (area.sections ?? []).flatMap(({ screens }) => screens);
	return (
		[area, ...(area.tabs ?? []), ...listed].some((screen) => isAt(screen, pathname)) ||
		area.alsoAt?.test(pathname.replace(/\/$/u, '')) === true
	);
}

function isAt({ path }: { path: string }, pathname: string): boolean {
	return pathname.replace(/\/$/u, '').toLowerCase() === path.replace(/\/$/u, '').toLowerCase();
}
