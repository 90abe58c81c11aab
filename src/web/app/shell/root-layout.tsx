import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { findScreen } from '#contract/core/screens.ts';
import { m } from '#messages';
import { useUnreadCount } from '#web/features/chat/chat-api.ts';
import { useCurrentScreenTitle } from '#web/platform/browser/page-head.ts';
import { siteName } from '#web/platform/browser/site.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { screenHeading } from '../navigation/screen-headings.ts';

/** Sets the document's title. Moves the focus after each navigation. */
export function RootLayout() {
	const pathname = useLocation({ select: (location) => location.pathname });
	const search = useLocation({ select: (location) => location.searchStr });
	const locale = useLocale();
	const unread = useUnreadCount();
	const name = useCurrentScreenTitle();
	const last = useRef({ pathname, search });
	// biome-ignore lint/correctness/useExhaustiveDependencies: a new language changes the title.
	useEffect(() => {
		const title = m.common_page_title({ screen: name ?? screenHeading(findScreen(pathname)), site: siteName() });
		document.title = unread === 0 ? title : m.chat_title_count({ count: unread, title });
	}, [pathname, locale, unread, name]);
	useEffect(() => {
		if (last.current.pathname === pathname) return;
		last.current = { pathname, search };
		// A field of the new screen may already have the focus.
		if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
	}, [pathname, search]);
	// A layout effect runs before useHeadingFocus, which checks the current focus.
	useLayoutEffect(() => {
		if (last.current.pathname !== pathname || last.current.search === search) return;
		last.current = { pathname, search };
		if (document.activeElement !== document.body) return;
		// The focused element was removed or disabled. In an open preview, the heading of the preview gets the focus.
		const heading = document.querySelector('[role="dialog"] h2[tabindex]') ?? document.querySelector('#content h1');
		if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
	}, [pathname, search]);
	return <Outlet />;
}
