import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/accounts/account.ts';
import { m } from '#messages';
import { homePath } from '#web/features/accounts/sign-in/home-path.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { type Session, sessionQuery } from '#web/platform/session/session.ts';

/**
 * What an open tab does when its person has got another role: it says so, asks the guard of the screen anew, and forgets
 * what only the old role could see. @returns how to stop
 */
export function refreshOnRoleChange(router: AnyRouter, queryClient: QueryClient): () => void {
	let current = meOf(queryClient);
	return queryClient.getQueryCache().subscribe(({ query }) => {
		if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
		const me = meOf(queryClient);
		const before = current;
		current = me;
		// Somebody else's session is no change of role: see follow-person.
		if (me === undefined || me.id !== before?.id || me.role === before.role) return;
		toastSuccess(me.role === 'admin' ? m.users_you_are_admin() : m.users_you_are_user());
		void router.invalidate().then(() => queryClient.removeQueries({ type: 'inactive', predicate: isNotSession }));
	});
}

function meOf(queryClient: QueryClient): Me | undefined {
	const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
	return session?.state === 'active' ? session.me : undefined;
}

function isNotSession({ queryKey }: { queryKey: readonly unknown[] }): boolean {
	return queryKey[0] !== sessionQuery.queryKey[0];
}

/**
 * What an open tab does when its session has become somebody else's (an admin begins or ends to see what a member
 * sees): it starts anew, so that nothing of the other stays in it. When two-factor sign-in must be set up first, the
 * guard of the screen is asked anew. @returns how to stop
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
