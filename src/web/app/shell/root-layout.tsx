import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { findScreen } from '#contract/core/screens.ts';
import { m } from '#messages';
import { useUnreadCount } from '#web/features/chat/chat-api.ts';
import { useCurrentScreenTitle } from '#web/platform/browser/page-head.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { screenHeading } from '../navigation/screen-headings.ts';

/** Sets the document's title, and moves the focus after navigation to another screen or within one. */
export function RootLayout() {
	const pathname = useLocation({ select: (location) => location.pathname });
	const search = useLocation({ select: (location) => location.searchStr });
	const locale = useLocale();
	const unread = useUnreadCount();
	const name = useCurrentScreenTitle();
	const last = useRef({ pathname, search });
	// biome-ignore lint/correctness/useExhaustiveDependencies: the title is in the page's language.
	useEffect(() => {
		const title = m.common_page_title({ screen: name ?? screenHeading(findScreen(pathname)) });
		document.title = unread === 0 ? title : m.chat_title_count({ count: unread, title });
	}, [pathname, locale, unread, name]);
	useEffect(() => {
		if (last.current.pathname === pathname) return;
		last.current = { pathname, search };
		// Not if a field of the new screen took the focus on mount.
		if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
	}, [pathname, search]);
	// A layout effect, because the effects of new content check which element has the focus (useHeadingFocus).
	useLayoutEffect(() => {
		if (last.current.pathname !== pathname || last.current.search === search) return;
		last.current = { pathname, search };
		if (document.activeElement !== document.body) return;
		// The link or button that was used is gone or disabled. An open preview keeps the focus.
		const heading = document.querySelector('[role="dialog"] h2[tabindex]') ?? document.querySelector('#content h1');
		if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
	}, [pathname, search]);
	return <Outlet />;
}
