import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { toastError, toastSuccess } from '#web/platform/toasts.ts';

/** By what somebody may read the book; asked for again as soon as book access changes. */
export function useBookGrant(userId: string) {
	return useQuery(api.bookGrants.get.queryOptions({ input: { id: userId } }));
}

/** Gives somebody the book, or takes it back, and says so. */
export function useSetBookGrant(email: string) {
	const queryClient = useQueryClient();
	return useMutation(
		api.bookGrants.set.mutationOptions({
			onSuccess: ({ access }, { isGranted }) => {
				void queryClient.invalidateQueries({ queryKey: api.bookGrants.key() });
				void queryClient.invalidateQueries({ queryKey: api.chatPerson.key() });
				if (isGranted) toastSuccess(m.reader_grant_given({ email }));
				else if (access === 'open') toastSuccess(m.reader_grant_taken_ordered({ email }));
				else toastSuccess(m.reader_grant_taken({ email }));
			},
			onError: (error) => toastError(describeFailure(error).message),
		}),
	);
}
