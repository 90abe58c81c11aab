import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import type { Me } from '#contract/accounts/account.ts';
import { client } from '../api/client.ts';
import { describeFailure, isUnreachable } from '../api/failure.ts';
import { clearPendingSignOut, hasPendingSignOut, signOutTimeoutMs } from './pending-sign-out.ts';
import { isScreenPreserved, isSignInPrompted, preserveScreenWhile, reportReauthenticated } from './reauthentication.ts';
import { endSession } from './session-end.ts';

/** Who sits in front of this browser. `inactive`: the session was ended by deactivation and grants nothing. */
export type Session = { state: 'anonymous' } | { state: 'inactive' } | { state: 'active'; me: Me };

const sessionKey = ['session'];

export const anonymous: Session = { state: 'anonymous' };

async function findSession({ client: cache }: { client: QueryClient }): Promise<Session> {
	const session = await fetchSession();
	const before = cache.getQueryData<Session>(sessionKey);
	if (session.state === 'anonymous' && before?.state === 'active' && isScreenPreserved()) {
		endSession('expiry');
		return before;
	}
	// In another tab; whoever else it is begins anew: see follow-person.
	if (session.state === 'active' && before?.state === 'active' && session.me.id === before.me.id && isSignInPrompted())
		reportReauthenticated();
	// Found out by a refresh, not by an event: the line was down when it happened.
	if (session.state === 'anonymous') endSession('expiry');
	if (session.state === 'inactive') endSession('deactivation');
	return session;
}

async function fetchSession(): Promise<Session> {
	try {
		if (hasPendingSignOut()) {
			await client.account.signOut({}, { signal: AbortSignal.timeout(signOutTimeoutMs) });
			clearPendingSignOut();
		}
		return { state: 'active', me: await client.account.me() };
	} catch (error) {
		const { code, status } = describeFailure(error);
		if (code === 'ACCOUNT_INACTIVE') return { state: 'inactive' };
		if (status === 401 || (isUnreachable(status) && hasPendingSignOut())) return anonymous;
		throw error;
	}
}

/** The session as a query: guards await it, screens read it, the event line refreshes it. */
export const sessionQuery = queryOptions({
	queryKey: sessionKey,
	queryFn: findSession,
	staleTime: Number.POSITIVE_INFINITY,
	gcTime: Number.POSITIVE_INFINITY,
});

/** The session as last known; anonymous until it is. */
export function useSession(): Session {
	return useQuery(sessionQuery).data ?? anonymous;
}

/** The signed-in person, given by the protected frame: who is below it never sees the moment in which the session ends. */
export const MeContext = createContext<Me | null>(null);

/** The signed-in person. Only below the protected frame; throws elsewhere. */
export function useMe(): Me {
	const me = useContext(MeContext);
	if (me === null) throw new Error('useMe needs a signed-in person above it');
	return me;
}

/** Keeps an expired session from taking the screen away, with what was typed there and not saved: it is asked for in its place. */
export function usePreservedScreen(isNeeded: boolean): void {
	// Elsewhere nobody would ask.
	const isProtected = useContext(MeContext) !== null;
	useEffect(() => (isNeeded && isProtected ? preserveScreenWhile(() => true) : undefined), [isNeeded, isProtected]);
}
