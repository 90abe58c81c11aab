import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserBookAccess } from '#contract/book/book-access.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';

/** The reasons why a user has access to the book; refetched when access changes. */
export function useBookAccess(userId: string) {
	return useQuery(api.bookGrants.get.queryOptions({ input: { id: userId } }));
}

/** Grants or revokes a user's access, and shows a notice. */
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

/** How an admin can change a member's book access. */
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
