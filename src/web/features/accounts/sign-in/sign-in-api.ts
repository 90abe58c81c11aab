import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Me } from '#contract/accounts/account.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { describeFailure, isUnreachable } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { isOfflineSupported, readOfflineData } from '#web/platform/offline/offline-store.ts';
import { clearPendingSignOut, signOutTimeoutMs, storePendingSignOut } from '#web/platform/session/pending-sign-out.ts';
import { type Session, sessionQuery } from '#web/platform/session/session.ts';
import { endSession, runBeforeSignOut } from '#web/platform/session/session-end.ts';

/** Signs in; what an earlier person left in the cache is forgotten first. */
export function useSignIn() {
	const queryClient = useQueryClient();
	return useMutation(
		api.account.signIn.mutationOptions({
			onSuccess: (me: Me) => {
				clearPendingSignOut();
				queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] });
				const session: Session = { state: 'active', me };
				queryClient.setQueryData(sessionQuery.queryKey, session);
			},
		}),
	);
}

/** Ends the session on the server and in every tab; on a device with an offline copy, also while it is offline. */
export function useLogout(): () => void {
	const signOut = useMutation({
		mutationFn: async () => {
			await runBeforeSignOut();
			await client.account.signOut({}, { signal: AbortSignal.timeout(signOutTimeoutMs) });
		},
		onSuccess: () => endSession('logout'),
		onError: async (error) => {
			const { status, message } = describeFailure(error);
			const canSignOutOffline =
				isUnreachable(status) && isOfflineSupported() && (await readOfflineData().catch(() => null)) !== null;
			if (!canSignOutOffline) return void toastError(message);
			storePendingSignOut();
			toastSuccess(m.account_logged_out_here());
			endSession('logout');
		},
	});
	return () => signOut.mutate();
}
