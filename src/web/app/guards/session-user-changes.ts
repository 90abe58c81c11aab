import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/accounts/account.ts';
import { m } from '#messages';
import { homePath } from '#web/features/accounts/sign-in/home-path.ts';
import { queryClient } from '#web/platform/api/query-client.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { isNotSession, type Session, sessionQuery } from '#web/platform/session/session.ts';

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
