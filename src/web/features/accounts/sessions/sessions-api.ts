import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Session } from '#contract/accounts/sessions.ts';
import type { Device } from '#contract/core/common-fields.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';

const pageSize = 20;

type Cursor = string | undefined;
interface Page {
	nextCursor: string | null;
}

/** Whose devices: one's own, or for admins another user's. */
export type SessionOwner = 'own' | { id: string; email: string };

const paging = {
	initialPageParam: undefined as Cursor,
	getNextPageParam: (last: Page) => last.nextCursor ?? undefined,
};

/** Live sessions, page after page. */
export function useSessions(owner: SessionOwner) {
	const own = api.sessions.list.infiniteOptions({
		input: (cursor: Cursor) => ({ cursor, limit: pageSize }),
		...paging,
	});
	const theirs = api.sessions.listOf.infiniteOptions({
		input: (cursor: Cursor) => ({ id: owner === 'own' ? '' : owner.id, cursor, limit: pageSize }),
		...paging,
	});
	const ownSessions = useInfiniteQuery({ ...own, enabled: owner === 'own' });
	const theirSessions = useInfiniteQuery({ ...theirs, enabled: owner !== 'own' });
	return owner === 'own' ? ownSessions : theirSessions;
}

function useMutationCallbacks() {
	const queryClient = useQueryClient();
	return {
		// Also after a refusal: what is not there any more is to leave the list.
		onSettled: () => void queryClient.invalidateQueries({ queryKey: api.sessions.key() }),
		onError: (error: Error) => void toastError(describeFailure(error).message),
	};
}

/** Signs one device out, and says which. */
export function useEndSession(owner: SessionOwner) {
	return useMutation({
		...useMutationCallbacks(),
		mutationFn: ({ id }: Session) =>
			owner === 'own' ? client.sessions.end({ id }) : client.sessions.endOf({ id: owner.id, sessionId: id }),
		onSuccess: (_ended, { device }) => void toastSuccess(m.sessions_ended({ device: deviceLabel(device) })),
	});
}

/** Signs all devices out but this one. */
export function useEndAllSessions(owner: SessionOwner) {
	return useMutation({
		...useMutationCallbacks(),
		mutationFn: () => (owner === 'own' ? client.sessions.endOthers({}) : client.sessions.endAllOf({ id: owner.id })),
		onSuccess: () =>
			void toastSuccess(owner === 'own' ? m.sessions_others_ended() : m.sessions_all_ended({ email: owner.email })),
	});
}

/** `Chrome 131 on Android 14`, or as much of it as is known. */
export function deviceLabel({ browser, system }: Device): string {
	if (browser !== null && system !== null) return m.sessions_on({ browser, system });
	return browser ?? system ?? m.sessions_unknown();
}
