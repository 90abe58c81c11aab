import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Me } from '#contract/account/account.ts';
import { api } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { type Session, sessionQuery } from '#web/platform/session.ts';
import { endSession } from '#web/platform/session-end.ts';
import { toastError } from '#web/platform/toasts.ts';

/** Signs in; what an earlier person left in the cache is forgotten first. */
export function useSignIn() {
	const queryClient = useQueryClient();
	return useMutation(
		api.account.signIn.mutationOptions({
			onSuccess: (me: Me) => {
				queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] });
				const session: Session = { state: 'active', me };
				queryClient.setQueryData(sessionQuery.queryKey, session);
			},
		}),
	);
}

/** Ends the session on the server and in every tab. */
export function useLogout(): () => void {
	const signOut = useMutation(
		api.account.signOut.mutationOptions({
			onSuccess: () => endSession('logout'),
			onError: (error) => toastError(describeFailure(error).message),
		}),
	);
	return () => signOut.mutate({});
}
