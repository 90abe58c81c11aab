import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserBookAccess } from '#contract/book/book-access.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';

/** By what somebody may read the book; asked for again as soon as book access changes. */
export function useBookAccess(userId: string) {
	return useQuery(api.bookGrants.get.queryOptions({ input: { id: userId } }));
}

/** Gives somebody the book, or takes it back, and says so. */
export function useSetBookAccess(email: string) {
	const queryClient = useQueryClient();
	return useMutation(
		api.bookGrants.set.mutationOptions({
			onSuccess: ({ access }, { isGranted }) => {
				void queryClient.invalidateQueries({ queryKey: api.bookGrants.key() });
				void queryClient.invalidateQueries({ queryKey: api.chatPerson.key() });
				if (isGranted) toastSuccess(m.book_access_given({ email }));
				else if (access === 'open') toastSuccess(m.book_access_revoked_ordered({ email }));
				else toastSuccess(m.book_access_revoked({ email }));
			},
			onError: (error) => toastError(describeFailure(error).message),
		}),
	);
}

/** What an admin may do with a member's book grant. */
export type BookAccessChange = 'give' | 'take';

/** Undefined where there is nothing to do: an order that is Complete opens the book already, and admins read by their role. */
export function findBookAccessChange(
	{ access, grant }: UserBookAccess,
	role: 'user' | 'admin',
): BookAccessChange | undefined {
	if (role === 'admin') return undefined;
	if (grant !== null) return 'take';
	return access === 'open' ? undefined : 'give';
}
