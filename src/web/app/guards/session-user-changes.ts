import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/accounts/account.ts';
import { m } from '#messages';
import { homePath } from '#web/features/accounts/sign-in/home-path.ts';
import { queryClient } from '#web/platform/api/query-client.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { isNotSession, type Session, sessionQuery } from '#web/platform/session/session.ts';

/**
 * Reacts to changes of the signed-in user while a tab is open:
 * - If the user is another one (an admin begins or ends an impersonation), reloads, so that no data of the previous
 *   user stays.
 * - If the user now has to set up two-factor sign-in, or has done so, runs the screen's guard again.
 * - If the role has changed, shows a notice, runs the guard, and drops cached data that only the old role could see.
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
