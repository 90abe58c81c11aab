import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/accounts/account.ts';
import { findScreen, homePath } from '#contract/core/screens.ts';
import { m } from '#messages';
import { queryClient } from '#web/platform/api/query-client.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { isScreenPreserved, setSignInPrompted } from '#web/platform/session/reauthentication.ts';
import { anonymous, isNotSession, type Session, sessionQuery } from '#web/platform/session/session.ts';
import { type EndReason, onSessionEnd } from '#web/platform/session/session-end.ts';

/**
 * When the session ends, deletes the user's data in this tab and shows the sign-in screen. If the session has expired
 * and the screen has unsaved work, the screen stays open instead, and a dialog asks for the password.
 */
export function redirectOnSessionEnd(router: AnyRouter): void {
	onSessionEnd((reason) => {
		const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
		if (session?.state !== 'active') return;
		if (reason === 'expiry' && isScreenPreserved()) {
			setSignInPrompted(true);
			return;
		}
		const next: Session = reason === 'deactivation' ? { state: 'inactive' } : anonymous;
		queryClient.setQueryData(sessionQuery.queryKey, next);
		queryClient.removeQueries({ predicate: isNotSession });
		// Otherwise, pending changes of this user could be sent in the next user's session.
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

/**
 * Handles changes of the signed-in user in an open tab. If another user has signed in, or an impersonation has begun or
 * ended, loads the home screen of the new user. After a change of the role or the two-factor requirement, runs the
 * screen's guard again.
 */
export function watchSessionUser(router: AnyRouter): void {
	let current = activeUser();
	queryClient.getQueryCache().subscribe(({ query }) => {
		if (isNotSession(query)) return;
		const previous = current;
		const me = activeUser();
		current = me;
		if (previous === undefined || me === undefined) return;
		if (me.id !== previous.id) {
			window.location.assign(homePath(me.role));
			return;
		}
		if (me.mustSetUpTwoFactor !== previous.mustSetUpTwoFactor) void router.invalidate();
		if (me.role === previous.role) return;
		toastSuccess(me.role === 'admin' ? m.users_you_are_admin() : m.users_you_are_user());
		void router.invalidate().then(() => queryClient.removeQueries({ type: 'inactive', predicate: isNotSession }));
	});
}

function activeUser(): Me | undefined {
	const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
	return session?.state === 'active' ? session.me : undefined;
}
