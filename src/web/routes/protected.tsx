import { Outlet } from '@tanstack/react-router';
import { m } from '#messages';
import { SignInAgainDialog } from '#web/features/account/sign-in-again-dialog.tsx';
import { useMarkQueue } from '#web/features/reader/reading.api.ts';
import { ViewBanner } from '#web/features/view-as/view-banner.tsx';
import { useEvents } from '#web/platform/events.ts';
import { MeContext, useSession } from '#web/platform/session.ts';
import { ButtonAnchor } from '#web/ui/button.tsx';
import { ConnectionLine } from '#web/ui/connection-line.tsx';
import { PublicFrame } from '#web/ui/public-frame.tsx';

/** Around every protected screen: the event line, and the face of an inactive account. */
export function Protected() {
	const session = useSession();
	if (session.state === 'inactive') {
		return (
			<PublicFrame title={m.account_not_active()} intro={m.common_account_not_active_hint()}>
				<ButtonAnchor href="/login">{m.common_to_login()}</ButtonAnchor>
			</PublicFrame>
		);
	}
	// Nobody: the way to another screen is already taken.
	if (session.state === 'anonymous') return null;
	return (
		<MeContext value={session.me}>
			<SignedIn />
		</MeContext>
	);
}

function SignedIn() {
	useEvents();
	useMarkQueue();
	return (
		<>
			<ViewBanner />
			<Outlet />
			<ConnectionLine />
			<SignInAgainDialog />
		</>
	);
}
