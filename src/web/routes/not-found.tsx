import { m } from '#messages';
import { homeOf } from '#web/features/account/account-home.ts';
import { ViewBanner } from '#web/features/view-as/view-banner.tsx';
import { useSession } from '#web/platform/session.ts';
import { ButtonAnchor, ButtonLink } from '#web/ui/button.tsx';
import { PublicFrame } from '#web/ui/public-frame.tsx';

/** An unknown route. */
export function NotFoundScreen() {
	return (
		<>
			<ViewBanner />
			<PublicFrame title={m.page_not_found()} intro={m.common_page_not_found_hint()}>
				<WayOn />
			</PublicFrame>
		</>
	);
}

/** Home for whoever is signed in, the landing page for others. */
export function WayOn() {
	const session = useSession();
	return session.state === 'active' ? (
		<ButtonLink to={homeOf(session.me.role)}>{m.common_to_home()}</ButtonLink>
	) : (
		<ButtonAnchor href="/">{m.common_to_landing()}</ButtonAnchor>
	);
}
