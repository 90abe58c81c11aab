import { Outlet } from '@tanstack/react-router';
import { m } from '#messages';
import { ConnectionBanner } from '#web/app/shell/connection-banner.tsx';
import { ImpersonationBanner } from '#web/features/accounts/impersonation/impersonation-banner.tsx';
import { useAnnotationQueue } from '#web/features/book/reader/reading-api.ts';
import { useServerEvents } from '#web/platform/events/server-events.ts';
import { useIsSignInPrompted } from '#web/platform/session/reauthentication.ts';
import { MeContext, useSession } from '#web/platform/session/session.ts';
import { PublicFrame } from '#web/ui/layout/public-frame.tsx';
import { componentOnDemand } from '#web/ui/overlays/overlays-on-demand.tsx';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';

const SignInAgainDialog = componentOnDemand(
	() => import('#web/features/accounts/sign-in/sign-in-again-dialog.tsx'),
	'SignInAgainDialog',
);

/** Inactive users see a notice instead of the screen. */
export function ProtectedLayout() {
	const session = useSession();
	if (session.state === 'inactive') {
		return (
			<PublicFrame title={m.account_not_active()} intro={m.common_account_not_active_hint()}>
				<ButtonAnchor href="/login">{m.common_to_login()}</ButtonAnchor>
			</PublicFrame>
		);
	}
	// A redirect to the sign-in screen follows.
	if (session.state === 'anonymous') return null;
	return (
		<MeContext value={session.me}>
			<SignedIn />
		</MeContext>
	);
}

function SignedIn() {
	useServerEvents();
	useAnnotationQueue();
	return (
		<>
			<ImpersonationBanner />
			<Outlet />
			<ConnectionBanner />
			{useIsSignInPrompted() && <SignInAgainDialog />}
		</>
	);
}
