import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import { type UserSummary, userFilter } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { sessionQuery } from '#web/platform/session/session.ts';
import { toastWithUndo } from '#web/ui/overlays/undo-toast.tsx';

/** One screenful of cards. Source: the look's picture of the admin dashboard. */
export const usersPageSize = 12;

/** What the address of /admin carries. */
export const usersSearch = z.object({
	search: z.string().default(''),
	filter: userFilter.default('all'),
	page: z.coerce.number().int().min(1).default(1),
	/** Where that page begins. */
	after: z.string().default(''),
});
export type UsersSearch = z.infer<typeof usersSearch>;
type UserFilters = Pick<UsersSearch, 'search' | 'filter'>;

/** A page of people; the one before stays in view while the next is fetched. */
export function useUsers({ search, filter }: UserFilters, cursor: string | undefined) {
	const input = { search: search || undefined, filter, cursor, limit: usersPageSize };
	return useQuery(api.people.list.queryOptions({ input, placeholderData: keepPreviousData }));
}

function useRefetchUsers(): () => void {
	const queryClient = useQueryClient();
	return () => void queryClient.invalidateQueries({ queryKey: api.people.key() });
}

const onError = (error: Error) => void toastError(describeFailure(error).message);

/** Adds a user. Errors are shown beside the form's fields. */
export function useRegisterUser() {
	return useMutation(api.people.register.mutationOptions({ onSuccess: useRefetchUsers() }));
}

/** Adds the people of a CSV text; the report tells who was not added. */
export function useImportUsers() {
	return useMutation(api.people.importCsv.mutationOptions({ onSettled: useRefetchUsers() }));
}

/** Changes a user's role, and shows a notice. */
export function useSetRole() {
	const refetchUsers = useRefetchUsers();
	return useMutation(
		api.people.setRole.mutationOptions({
			onSuccess: ({ email, role }: UserSummary) => {
				refetchUsers();
				toastSuccess(role === 'admin' ? m.users_is_admin({ email }) : m.users_is_user({ email }));
			},
			onError,
		}),
	);
}

/** For a lost phone: the person signs in by password alone again. */
export function useResetTwoFactor(email: string) {
	const refetchUsers = useRefetchUsers();
	return useMutation(
		api.twoFactor.reset.mutationOptions({
			onSuccess: () => {
				refetchUsers();
				toastSuccess(m.users_two_factor_was_reset({ email }));
			},
			onError,
		}),
	);
}

/** Starts an impersonation: the session is refetched, and every open tab reloads. */
export function useImpersonate() {
	const queryClient = useQueryClient();
	return useMutation(
		api.viewAs.start.mutationOptions({
			onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
			onError,
		}),
	);
}

/** Activates or deactivates, says so, and offers to take it back. */
export function useSetActive() {
	const refetchUsers = useRefetchUsers();
	const change = useMutation(
		api.people.setActive.mutationOptions({
			onSuccess: ({ id, email, active }: UserSummary) => {
				refetchUsers();
				const sentence = active ? m.users_activated({ email }) : m.users_was_deactivated({ email });
				toastWithUndo(sentence, () => change.mutate({ id, active: !active }));
			},
			onError,
		}),
	);
	return change;
}
