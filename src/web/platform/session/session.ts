import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import type { Me } from '#contract/accounts/account.ts';
import { client } from '../api/client.ts';
import { describeFailure, isUnreachable } from '../api/failure.ts';
import { isScreenPreserved, isSignInPrompted, preserveScreenWhile, reportReauthenticated } from './reauthentication.ts';
import { endSession, pendingSignOut, signOutTimeoutMs } from './session-end.ts';

/** The user of this browser. `inactive`: the session was ended by deactivation and gives no access. */
export type Session = { state: 'anonymous' } | { state: 'inactive' } | { state: 'active'; me: Me };

const sessionKey = ['session'];

export const anonymous: Session = { state: 'anonymous' };

async function findSession({ client: cache }: { client: QueryClient }): Promise<Session> {
	const session = await fetchSession();
	const previous = cache.getQueryData<Session>(sessionKey);
	if (session.state === 'anonymous' && previous?.state === 'active' && isScreenPreserved()) {
		endSession('expiry');
		return previous;
	}
	// Signed in from another tab; for another user the page reloads: see watchSessionUser.
	if (
		session.state === 'active' &&
		previous?.state === 'active' &&
		session.me.id === previous.me.id &&
		isSignInPrompted()
	)
		reportReauthenticated();
	// A refetch shows that the session is over: its event was missed while the connection was lost.
	if (session.state === 'anonymous') endSession('expiry');
	if (session.state === 'inactive') endSession('deactivation');
	return session;
}

async function fetchSession(): Promise<Session> {
	try {
		if (pendingSignOut.exists()) {
			await client.account.signOut({}, { signal: AbortSignal.timeout(signOutTimeoutMs) });
			pendingSignOut.clear();
		}
		return { state: 'active', me: await client.account.me() };
	} catch (error) {
		const { code, status } = describeFailure(error);
		if (code === 'ACCOUNT_INACTIVE') return { state: 'inactive' };
		if (status === 401 || (isUnreachable(status) && pendingSignOut.exists())) return anonymous;
		throw error;
	}
}

/** The session as a query: guards await it, screens read it, and the event stream invalidates it. */
export const sessionQuery = queryOptions({
	queryKey: sessionKey,
	queryFn: findSession,
	staleTime: Number.POSITIVE_INFINITY,
	gcTime: Number.POSITIVE_INFINITY,
});

/** Selects every query but the session, to clear the data of a user. */
export function isNotSession({ queryKey }: { queryKey: readonly unknown[] }): boolean {
	return queryKey[0] !== sessionKey[0];
}

export function useSession(): Session {
	return useQuery(sessionQuery).data ?? anonymous;
}

/** The signed-in user, provided by the protected layout. Components below it never render after the session's end. */
export const MeContext = createContext<Me | null>(null);

export function useMe(): Me {
	const me = useContext(MeContext);
	if (me === null) throw new Error('useMe must be used below the protected layout.');
	return me;
}

/** Keeps the screen when the session expires, with unsaved input: the user signs in again on the same screen. */
export function usePreservedScreen(isNeeded: boolean): void {
	const isProtected = useContext(MeContext) !== null;
	useEffect(() => (isNeeded && isProtected ? preserveScreenWhile(() => true) : undefined), [isNeeded, isProtected]);
}
