import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import type { Role } from '#contract/account/account.ts';
import { m } from '#messages';
import { type Session, sessionQuery } from '#web/platform/session.ts';
import { toastSuccess } from '#web/platform/toasts.ts';

/**
 * What an open tab does when its person has got another role: it says so, asks the guard of the screen anew, and forgets
 * what only the old role could see. @returns how to stop
 */
export function followRole(router: AnyRouter, queryClient: QueryClient): () => void {
	let known = roleOf(queryClient);
	return queryClient.getQueryCache().subscribe(({ query }) => {
		if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
		const role = roleOf(queryClient);
		const before = known;
		known = role;
		if (role === undefined || before === undefined || role === before) return;
		toastSuccess(role === 'admin' ? m.people_you_are_admin() : m.people_you_are_user());
		void router.invalidate().then(() => queryClient.removeQueries({ type: 'inactive', predicate: isNotSession }));
	});
}

function roleOf(queryClient: QueryClient): Role | undefined {
	const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
	return session?.state === 'active' ? session.me.role : undefined;
}

function isNotSession({ queryKey }: { queryKey: readonly unknown[] }): boolean {
	return queryKey[0] !== sessionQuery.queryKey[0];
}
