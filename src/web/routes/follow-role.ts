import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/account/account.ts';
import { m } from '#messages';
import { type Session, sessionQuery } from '#web/platform/session.ts';
import { toastSuccess } from '#web/platform/toasts.ts';

/**
 * What an open tab does when its person has got another role: it says so, asks the guard of the screen anew, and forgets
 * what only the old role could see. @returns how to stop
 */
export function followRole(router: AnyRouter, queryClient: QueryClient): () => void {
	let known = meOf(queryClient);
	return queryClient.getQueryCache().subscribe(({ query }) => {
		if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
		const me = meOf(queryClient);
		const before = known;
		known = me;
		// Somebody else's session is no change of role: see follow-person.
		if (me === undefined || me.id !== before?.id || me.role === before.role) return;
		toastSuccess(me.role === 'admin' ? m.people_you_are_admin() : m.people_you_are_user());
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
