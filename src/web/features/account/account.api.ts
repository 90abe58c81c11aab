import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Me } from '#contract/account/account.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api.ts';
import { finishBeforeSignOut } from '#web/platform/before-sign-out.ts';
import { describeFailure, isOutOfReach } from '#web/platform/failure.ts';
import { canKeepHere, readKept } from '#web/platform/kept/kept-store.ts';
import { type Session, sessionQuery } from '#web/platform/session.ts';
import { endSession } from '#web/platform/session-end.ts';
import { oweSignOut, settleSignOut, signOutWithinMs } from '#web/platform/sign-out-owed.ts';
import { toastError, toastSuccess } from '#web/platform/toasts.ts';

/** Signs in; what an earlier person left in the cache is forgotten first. */
export function useSignIn() {
	const queryClient = useQueryClient();
	return useMutation(
		api.account.signIn.mutationOptions({
			onSuccess: (me: Me) => {
				settleSignOut();
				queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] });
				const session: Session = { state: 'active', me };
				queryClient.setQueryData(sessionQuery.queryKey, session);
			},
		}),
	);
}

/**
 * Ends the session on the server and in every tab. Where this device keeps an edition, it ends without a line too: here at
 * once, and on the server as soon as there is one.
 */
export function useLogout(): () => void {
	const signOut = useMutation({
		mutationFn: async () => {
			await finishBeforeSignOut();
			await client.account.signOut({}, { signal: AbortSignal.timeout(signOutWithinMs) });
		},
		onSuccess: () => endSession('logout'),
		onError: async (error) => {
			const { status, message } = describeFailure(error);
			const isWithoutLine = isOutOfReach(status) && canKeepHere() && (await readKept().catch(() => null)) !== null;
			if (!isWithoutLine) return void toastError(message);
			oweSignOut();
			toastSuccess(m.account_logged_out_here());
			endSession('logout');
		},
	});
	return () => signOut.mutate();
}
