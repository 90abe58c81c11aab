import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { findScreen } from '#contract/core/screens.ts';
import { isScreenPreserved, setSignInPrompted } from '#web/platform/session/reauthentication.ts';
import { anonymous, type Session, sessionQuery } from '#web/platform/session/session.ts';
import { type EndReason, onSessionEnd } from '#web/platform/session/session-end.ts';

/**
 * What every open tab does when its session is over: forget what it held and go where the specification says. Only an
 * expired session is brought back after signing in (in its place, while files are on their way); one that was ended from elsewhere says so.
 */
export function redirectOnSessionEnd(router: AnyRouter, queryClient: QueryClient): () => void {
	return onSessionEnd((reason) => {
		const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
		if (session?.state !== 'active') return;
		if (reason === 'expiry' && isScreenPreserved()) {
			setSignInPrompted(true);
			return;
		}
		const next: Session = reason === 'deactivation' ? { state: 'inactive' } : anonymous;
		queryClient.setQueryData(sessionQuery.queryKey, next);
		queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] });
		// Nothing that this person began goes on in the name of the next.
		queryClient.getMutationCache().clear();
		redirectFromScreen(router, reason);
	});
}

function redirectFromScreen(router: AnyRouter, reason: EndReason): void {
	const { pathname, searchStr } = router.state.location;
	const screen = findScreen(pathname);
	if (screen === undefined || screen.role === 'public') return;
	if (reason === 'deactivation') {
		// Elsewhere the protected frame shows the inactive face by itself.
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
