import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserSummary } from '#contract/accounts/administration.ts';
import type { UserBookAccess } from '#contract/book/book-access.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';

/** How an admin can change a user's access to the book; refetched when access changes. */
export function useBookAccess({ id, role }: Pick<UserSummary, 'id' | 'role'>) {
	const query = useQuery(api.bookGrants.get.queryOptions({ input: { id }, enabled: role !== 'admin' }));
	return {
		change: query.data && findBookAccessChange(query.data, role),
		isPending: query.isPending,
		/** Whether nothing is known because loading failed. */
		isError: query.data === undefined && query.isError,
	};
}

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

export type BookAccessChange = 'give' | 'take';

/** Undefined if no change applies: a complete order already gives access, and admins read by their role. */
export function findBookAccessChange(
	{ access, grant }: UserBookAccess,
	role: 'user' | 'admin',
): BookAccessChange | undefined {
	if (role === 'admin') return undefined;
	if (grant !== null) return 'take';
	return access === 'open' ? undefined : 'give';
}
