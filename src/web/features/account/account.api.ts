import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Me } from '#contract/account/account.ts';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { type Session, sessionQuery } from '#web/platform/session.ts';
import { endSession } from '#web/platform/session-end.ts';
import { oweSignOut, settleSignOut } from '#web/platform/sign-out-owed.ts';
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

/** Ends the session on the server and in every tab; without a line here at once, and on the server as soon as there is one. */
export function useLogout(): () => void {
	const signOut = useMutation(
		api.account.signOut.mutationOptions({
			onSuccess: () => endSession('logout'),
			onError: (error) => {
				const { status, message } = describeFailure(error);
				if (status !== 0) return void toastError(message);
				oweSignOut();
				toastSuccess(m.account_logged_out_here());
				endSession('logout');
			},
		}),
	);
	return () => signOut.mutate({});
}
