import { useLocation } from '@tanstack/react-router';
import { findScreen } from '#contract/core/screens.ts';
import { m } from '#messages';
import { PublicFrame } from '#web/ui/public-frame.tsx';
import { headingOf } from './headings.ts';

/** A public screen that is not built yet. */
export function NotBuiltPublicScreen() {
	const pathname = useLocation({ select: (location) => location.pathname });
	return (
		<PublicFrame title={headingOf(findScreen(pathname))}>
			<p>{m.not_available_yet()}</p>
		</PublicFrame>
	);
}
