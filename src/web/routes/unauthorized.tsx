import { m } from '#messages';
import { ViewBanner } from '#web/features/view-as/view-banner.tsx';
import { PublicFrame } from '#web/ui/public-frame.tsx';
import { WayOn } from './not-found.tsx';

/** Where a wrong role is sent. */
export function UnauthorizedScreen() {
	return (
		<>
			<ViewBanner />
			<PublicFrame title={m.screen_unauthorized()} intro={m.common_unauthorized_text()}>
				<WayOn />
			</PublicFrame>
		</>
	);
}

/** Where a wrong role is sent from the login history. */
export function NotAuthorizedScreen() {
	return (
		<>
			<ViewBanner />
			<PublicFrame title={m.screen_not_authorized()} intro={m.common_not_authorized_text()}>
				<WayOn />
			</PublicFrame>
		</>
	);
}
