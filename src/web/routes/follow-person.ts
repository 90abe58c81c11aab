import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/account/account.ts';
import { homeOf } from '#web/features/account/account-home.ts';
import { type Session, sessionQuery } from '#web/platform/session.ts';

/**
 * What an open tab does when its session has become somebody else's (an admin begins or ends to see what a member
 * sees): it starts anew, so that nothing of the other stays in it. When two-factor sign-in must be set up first, the
 * guard of the screen is asked anew. @returns how to stop
 */
export function followPerson(router: AnyRouter, queryClient: QueryClient): () => void {
	let known = meOf(queryClient);
	return queryClient.getQueryCache().subscribe(({ query }) => {
		if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
		const before = known;
		const me = meOf(queryClient);
		known = me;
		if (before === undefined || me === undefined) return;
		if (me.id !== before.id) window.location.assign(homeOf(me.role));
		else if (me.mustSetUpTwoFactor !== before.mustSetUpTwoFactor) void router.invalidate();
	});
}

function meOf(queryClient: QueryClient): Me | undefined {
	const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
	return session?.state === 'active' ? session.me : undefined;
}
