import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import type { Person } from '#contract/people/people.ts';
import { deletePersonPath, deletionAnswer } from '#contract/removal/removal.ts';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { errorBody } from '#web/platform/failure.ts';
import { toastError, toastSuccess } from '#web/platform/toasts.ts';

/** What the address of /delete-user carries. */
export const removalSearch = z.object({ search: z.string().default('') });

/** Deleted people whose files are still being removed; hints keep it live. */
export function useRemovals() {
	return useQuery(api.removals.running.queryOptions());
}

/** Deletes a person and says how it went, in the specified words. */
export function useDeletePerson() {
	const queryClient = useQueryClient();
	return useMutation({
		mutationFn: (person: Person) => askToDelete(person.id),
		onSuccess: (error, person) => {
			if (error !== null) toastError(error);
			else toastSuccess(m.removal_done({ id: person.id }));
			void queryClient.invalidateQueries({ queryKey: api.people.key() });
			void queryClient.invalidateQueries({ queryKey: api.removals.key() });
		},
		onError: () => toastError(m.removal_server_error()),
	});
}

/** @returns what went wrong in words, or null; rejects without an answer */
async function askToDelete(uid: string): Promise<string | null> {
	const response = await fetch(deletePersonPath, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ uid }),
	});
	if (response.status === 500) return m.removal_server_error();
	const body: unknown = await response.json();
	const answer = deletionAnswer.safeParse(body);
	if (answer.success && answer.data.success) return null;
	const refusal = errorBody.safeParse(body);
	return refusal.success ? m.removal_failed({ error: refusal.data.message }) : m.removal_server_error();
}
