import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { findScreen } from '#contract/core/screens.ts';
import { isScreenPreserved, setSignInPrompted } from '#web/platform/session/reauthentication.ts';
import { anonymous, type Session, sessionQuery } from '#web/platform/session/session.ts';
import { type EndReason, onSessionEnd } from '#web/platform/session/session-end.ts';

/**
 * At the end of the session, clears the data of every open tab and redirects: after an expiry, signing in returns to
 * the same screen; if the session was ended from elsewhere, the sign-in screen says why.
 */
export function redirectOnSessionEnd(router: AnyRouter, queryClient: QueryClient): void {
	onSessionEnd((reason) => {
		const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
		if (session?.state !== 'active') return;
		if (reason === 'expiry' && isScreenPreserved()) {
			setSignInPrompted(true);
			return;
		}
		const next: Session = reason === 'deactivation' ? { state: 'inactive' } : anonymous;
		queryClient.setQueryData(sessionQuery.queryKey, next);
		queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] });
		// Nothing that this user began may continue as the next user.
		queryClient.getMutationCache().clear();
		redirectFromScreen(router, reason);
	});
}

function redirectFromScreen(router: AnyRouter, reason: EndReason): void {
	const { pathname, searchStr } = router.state.location;
	const screen = findScreen(pathname);
	if (screen === undefined || screen.role === 'public') return;
	if (reason === 'deactivation') {
		// On other screens the protected layout shows the inactive state.
		if (screen.path !== '/dashboard') return;
		void router.navigate({ to: '/login', search: { reason: 'deactivated' }, ignoreBlocker: true });
		return;
	}
	const search = {
		expiry: { back: pathname + searchStr },
		device: { reason },
		password: { reason },
		deletion: { reason },
		logout: {},
	}[reason];
	void router.navigate({ to: '/login', search, ignoreBlocker: true });
}
