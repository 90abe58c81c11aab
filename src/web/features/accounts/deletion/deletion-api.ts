import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { deleteUserPath, deleteUserResponse } from '#contract/accounts/deletion.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { errorBody } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';

/** What the address of /delete-user carries. */
export const deleteUserSearch = z.object({ search: z.string().default('') });

/** Deleted people whose files are still being removed; hints keep it live. */
export function useRunningDeletions() {
	return useQuery(api.removals.running.queryOptions());
}

/** Deletes a person and says how it went, in the specified words. */
export function useDeleteUser() {
	const queryClient = useQueryClient();
	return useMutation({
		mutationFn: (person: UserSummary) => requestDeletion(person.id),
		onSuccess: (error, person) => {
			if (error !== null) toastError(error);
			else toastSuccess(m.account_deletion_done({ id: person.id }));
			void queryClient.invalidateQueries({ queryKey: api.people.key() });
			void queryClient.invalidateQueries({ queryKey: api.removals.key() });
		},
		onError: () => toastError(m.account_deletion_server_error()),
	});
}

/** @returns what went wrong in words, or null; rejects without an answer */
async function requestDeletion(uid: string): Promise<string | null> {
	const response = await fetch(deleteUserPath, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ uid }),
	});
	if (response.status === 500) return m.account_deletion_server_error();
	const body: unknown = await response.json();
	const answer = deleteUserResponse.safeParse(body);
	if (answer.success && answer.data.success) return null;
	const errorAnswer = errorBody.safeParse(body);
	return errorAnswer.success
		? m.account_deletion_failed({ error: errorAnswer.data.message })
		: m.account_deletion_server_error();
}
