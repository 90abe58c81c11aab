import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { findScreen } from '#contract/core/screens.ts';
import { m } from '#messages';
import { useLocale } from '#web/platform/locale.ts';
import { headingOf } from './headings.ts';

/** Above every screen: the document's title, and the focus after moving to another screen. */
export function Root() {
	const pathname = useLocation({ select: (location) => location.pathname });
	const locale = useLocale();
	const last = useRef(pathname);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the title is in the page's language.
	useEffect(() => {
		document.title = m.common_page_title({ screen: headingOf(findScreen(pathname)) });
	}, [pathname, locale]);
	useEffect(() => {
		if (last.current === pathname) return;
		last.current = pathname;
		// A field that took the focus by itself keeps it.
		if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
	}, [pathname]);
	return <Outlet />;
}
