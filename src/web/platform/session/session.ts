import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import type { Me } from '#contract/accounts/account.ts';
import { client } from '../api/client.ts';
import { describeFailure, isUnreachable } from '../api/failure.ts';
import { isScreenPreserved, isSignInPrompted, preserveScreenWhile, reportReauthenticated } from './reauthentication.ts';
import { endSession, pendingSignOut, signOutTimeoutMs } from './session-end.ts';

/** `inactive`: the user was deactivated, and the session gives no access. */
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
	// The user has signed in from another tab. For another user, watchSessionUser reloads the page.
	if (
		session.state === 'active' &&
		previous?.state === 'active' &&
		session.me.id === previous.me.id &&
		isSignInPrompted()
	)
		reportReauthenticated();
	// The event about the end of the session may have been lost with the connection.
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

/** Guards, screens and the event stream share this query. */
export const sessionQuery = queryOptions({
	queryKey: sessionKey,
	queryFn: findSession,
	staleTime: Number.POSITIVE_INFINITY,
	gcTime: Number.POSITIVE_INFINITY,
});

/** Selects all queries except the session, to delete a user's data. */
export function isNotSession({ queryKey }: { queryKey: readonly unknown[] }): boolean {
	return queryKey[0] !== sessionKey[0];
}

export function useSession(): Session {
	return useQuery(sessionQuery).data ?? anonymous;
}

/** The signed-in user. The protected layout provides it, and renders nothing after the session has ended. */
export const MeContext = createContext<Me | null>(null);

export function useMe(): Me {
	const me = useContext(MeContext);
	if (me === null) throw new Error('useMe must be used below the protected layout.');
	return me;
}

/** While `isNeeded`, the screen and its input stay when the session expires. The user signs in again in a dialog. */
export function usePreservedScreen(isNeeded: boolean): void {
	const isProtected = useContext(MeContext) !== null;
	useEffect(() => (isNeeded && isProtected ? preserveScreenWhile(() => true) : undefined), [isNeeded, isProtected]);
}
