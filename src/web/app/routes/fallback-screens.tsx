import type { ErrorComponentProps } from '@tanstack/react-router';
import { homePath } from '#contract/core/screens.ts';
import { m } from '#messages';
import { ImpersonationBanner } from '#web/features/accounts/impersonation/impersonation-banner.tsx';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useSession } from '#web/platform/session/session.ts';
import { PublicFrame } from '#web/ui/layout/public-frame.tsx';
import { ButtonAnchor, ButtonLink } from '#web/ui/primitives/button.tsx';
import { FailedState } from '#web/ui/states/states.tsx';

export function NotFoundScreen() {
	return <MessageScreen title={m.page_not_found()} intro={m.common_page_not_found_hint()} />;
}

/** By default, users with the wrong role are redirected to this screen. */
export function UnauthorizedScreen() {
	return <MessageScreen title={m.screen_unauthorized()} intro={m.common_unauthorized_text()} />;
}

/** Users with the wrong role are redirected from the login history to this screen. */
export function NotAuthorizedScreen() {
	return <MessageScreen title={m.screen_not_authorized()} intro={m.common_not_authorized_text()} />;
}

/** Links to the dashboard for signed-in users, otherwise to the landing page. */
function MessageScreen({ title, intro }: { title: string; intro: string }) {
	const session = useSession();
	return (
		<>
			<ImpersonationBanner />
			<PublicFrame title={title} intro={intro}>
				{session.state === 'active' ? (
					<ButtonLink to={homePath(session.me.role)}>{m.common_to_home()}</ButtonLink>
				) : (
					<ButtonAnchor href="/">{m.common_to_landing()}</ButtonAnchor>
				)}
			</PublicFrame>
		</>
	);
}

/** Shown when a screen has thrown an error or its code could not be loaded, for example after a deployment. */
export function ErrorScreen({ error }: ErrorComponentProps) {
	return (
		<FailedState
			text={m.common_screen_failed()}
			detail={describeFailure(error).message}
			onRetry={() => window.location.reload()}
		/>
	);
}
