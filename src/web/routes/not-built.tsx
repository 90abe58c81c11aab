import { useLocation } from '@tanstack/react-router';
import { findScreen } from '#contract/core/screens.ts';
import { m } from '#messages';
import { EmptyState } from '#web/ui/faces.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { headingOf } from './headings.ts';

/** A protected screen that is not built yet, for whoever may see it. */
export function NotBuiltScreen() {
	const pathname = useLocation({ select: (location) => location.pathname });
	return (
		<>
			<PageHeader title={headingOf(findScreen(pathname))} />
			<EmptyState text={m.not_available_yet()} />
		</>
	);
}
