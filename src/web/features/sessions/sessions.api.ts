import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Session } from '#contract/sessions/sessions.ts';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { deviceWords } from '#web/platform/device-words.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { toastError, toastSuccess } from '#web/platform/toasts.ts';

const pageSize = 20;

type Cursor = string | undefined;
interface Page {
	nextCursor: string | null;
}

/** Whose devices: one's own, or for admins somebody's. */
export type Whose = 'own' | { id: string; email: string };

const paging = {
	initialPageParam: undefined as Cursor,
	getNextPageParam: (last: Page) => last.nextCursor ?? undefined,
};

/** Live sessions, page after page. */
export function useSessions(whose: Whose) {
	const own = api.sessions.list.infiniteOptions({
		input: (cursor: Cursor) => ({ cursor, limit: pageSize }),
		...paging,
	});
	const theirs = api.sessions.listOf.infiniteOptions({
		input: (cursor: Cursor) => ({ id: whose === 'own' ? '' : whose.id, cursor, limit: pageSize }),
		...paging,
	});
	const ownSessions = useInfiniteQuery({ ...own, enabled: whose === 'own' });
	const theirSessions = useInfiniteQuery({ ...theirs, enabled: whose !== 'own' });
	return whose === 'own' ? ownSessions : theirSessions;
}

function useOutcome() {
	const queryClient = useQueryClient();
	return {
		// Also after a refusal: what is not there any more is to leave the list.
		onSettled: () => void queryClient.invalidateQueries({ queryKey: api.sessions.key() }),
		onError: (error: unknown) => void toastError(describeFailure(error).message),
	};
}

/** Signs one device out, and says which. */
export function useEndSession(whose: Whose) {
	const outcome = useOutcome();
	const own = useMutation(api.sessions.end.mutationOptions(outcome));
	const theirs = useMutation(api.sessions.endOf.mutationOptions(outcome));
	return {
		isPending: own.isPending || theirs.isPending,
		end(session: Session, onSuccess: () => void) {
			const done = {
				onSuccess: () => {
					toastSuccess(m.sessions_ended({ device: deviceWords(session.device) }));
					onSuccess();
				},
			};
			if (whose === 'own') own.mutate({ id: session.id }, done);
			else theirs.mutate({ id: whose.id, sessionId: session.id }, done);
		},
	};
}

/** Signs all devices out but this one. */
export function useEndAllSessions(whose: Whose) {
	const outcome = useOutcome();
	const own = useMutation(api.sessions.endOthers.mutationOptions(outcome));
	const theirs = useMutation(api.sessions.endAllOf.mutationOptions(outcome));
	return {
		isPending: own.isPending || theirs.isPending,
		end() {
			if (whose === 'own') own.mutate({}, { onSuccess: () => void toastSuccess(m.sessions_others_ended()) });
			else {
				const sentence = m.sessions_all_ended({ email: whose.email });
				theirs.mutate({ id: whose.id }, { onSuccess: () => void toastSuccess(sentence) });
			}
		},
	};
}
