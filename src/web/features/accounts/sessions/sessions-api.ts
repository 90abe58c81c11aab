import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Session } from '#contract/accounts/sessions.ts';
import type { Device } from '#contract/core/common-fields.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
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
		onError: (error: unknown) => void toastError(describeFailure(error).message),
	};
}

/** Signs one device out, and says which. */
export function useEndSession(owner: SessionOwner) {
	const callbacks = useMutationCallbacks();
	const own = useMutation(api.sessions.end.mutationOptions(callbacks));
	const theirs = useMutation(api.sessions.endOf.mutationOptions(callbacks));
	return {
		isPending: own.isPending || theirs.isPending,
		end(session: Session, onSuccess: () => void) {
			const done = {
				onSuccess: () => {
					toastSuccess(m.sessions_ended({ device: deviceLabel(session.device) }));
					onSuccess();
				},
			};
			if (owner === 'own') own.mutate({ id: session.id }, done);
			else theirs.mutate({ id: owner.id, sessionId: session.id }, done);
		},
	};
}

/** Signs all devices out but this one. */
export function useEndAllSessions(owner: SessionOwner) {
	const callbacks = useMutationCallbacks();
	const own = useMutation(api.sessions.endOthers.mutationOptions(callbacks));
	const theirs = useMutation(api.sessions.endAllOf.mutationOptions(callbacks));
	return {
		isPending: own.isPending || theirs.isPending,
		end() {
			if (owner === 'own') own.mutate({}, { onSuccess: () => void toastSuccess(m.sessions_others_ended()) });
			else {
				const message = m.sessions_all_ended({ email: owner.email });
				theirs.mutate({ id: owner.id }, { onSuccess: () => void toastSuccess(message) });
			}
		},
	};
}

/** `Chrome 131 on Android 14`, or as much of it as is known. */
export function deviceLabel({ browser, system }: Device): string {
	if (browser !== null && system !== null) return m.sessions_on({ browser, system });
	return browser ?? system ?? m.sessions_unknown();
}
