import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/accounts/account.ts';
import { m } from '#messages';
import { homePath } from '#web/features/accounts/sign-in/home-path.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { type Session, sessionQuery } from '#web/platform/session/session.ts';

/**
 * When the user's role changes while a tab is open: shows a notice, runs the guard of the screen again, and drops
 * cached data that only the old role could see.
 * @returns a function that stops this
 */
export function refreshOnRoleChange(router: AnyRouter, queryClient: QueryClient): () => void {
	let current = activeUserOf(queryClient);
	return queryClient.getQueryCache().subscribe(({ query }) => {
		if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
		const me = activeUserOf(queryClient);
		const before = current;
		current = me;
		// Another user's session is not a change of role: see reloadOnUserChange.
		if (me === undefined || me.id !== before?.id || me.role === before.role) return;
		toastSuccess(me.role === 'admin' ? m.users_you_are_admin() : m.users_you_are_user());
		void router.invalidate().then(() => queryClient.removeQueries({ type: 'inactive', predicate: isNotSession }));
	});
}

function isNotSession({ queryKey }: { queryKey: readonly unknown[] }): boolean {
	return queryKey[0] !== sessionQuery.queryKey[0];
}

/**
 * When the session of an open tab becomes another user's (an admin begins or ends an impersonation): reloads, so that
 * nothing of the other user stays in it. When two-factor sign-in must be set up first, the guard of the screen runs
 * again.
 * @returns a function that stops this
 */
export function reloadOnUserChange(router: AnyRouter, queryClient: QueryClient): () => void {
	let current = activeUserOf(queryClient);
	return queryClient.getQueryCache().subscribe(({ query }) => {
		if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
		const before = current;
		const me = activeUserOf(queryClient);
		current = me;
		if (before === undefined || me === undefined) return;
		if (me.id !== before.id) window.location.assign(homePath(me.role));
		else if (me.mustSetUpTwoFactor !== before.mustSetUpTwoFactor) void router.invalidate();
	});
}

function activeUserOf(queryClient: QueryClient): Me | undefined {
	const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
	return session?.state === 'active' ? session.me : undefined;
}
