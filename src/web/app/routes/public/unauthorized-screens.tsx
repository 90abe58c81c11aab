import { m } from '#messages';
import { ImpersonationBanner } from '#web/features/accounts/impersonation/impersonation-banner.tsx';
import { PublicFrame } from '#web/ui/layout/public-frame.tsx';
import { HomeLink } from '../fallback-screens.tsx';

/** Target of the redirect for users with the wrong role. */
export function UnauthorizedScreen() {
	return (
		<>
			<ImpersonationBanner />
			<PublicFrame title={m.screen_unauthorized()} intro={m.common_unauthorized_text()}>
				<HomeLink />
			</PublicFrame>
		</>
	);
}

/** Target of the redirect from the login history for users with the wrong role. */
export function NotAuthorizedScreen() {
	return (
		<>
			<ImpersonationBanner />
			<PublicFrame title={m.screen_not_authorized()} intro={m.common_not_authorized_text()}>
				<HomeLink />
			</PublicFrame>
		</>
	);
}
