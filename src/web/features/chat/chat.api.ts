import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import { chatShows } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { useSession } from '#web/platform/session.ts';
import { toastError, toastSuccess } from '#web/platform/toasts.ts';

/**
 * What the address of /admin/contact carries: the email of whose conversation is open, what is looked for, which
 * conversations are shown, and the message that was found, by its sequence; 0 for none.
 */
export const chatsSearch = z.object({
	person: z.string().default(''),
	q: z.string().default(''),
	show: z.enum(chatShows).default('all'),
	message: z.coerce.number().int().min(0).default(0),
});
export type ChatsSearch = z.infer<typeof chatsSearch>;

/** An address of /admin/contact, without what is as always. */
export function chatsAddress(search: Partial<ChatsSearch>): Partial<ChatsSearch> {
	const usual: Record<string, unknown> = chatsSearch.parse({});
	return Object.fromEntries(Object.entries(search).filter(([key, value]) => value !== usual[key]));
}

export type ChatSummary = CallOutputs['chat']['list']['items'][number];

const rowsAtOnce = 50;

/** The owner's list, newest first, page by page. */
export function useChats({ q, show }: Pick<ChatsSearch, 'q' | 'show'>, isWanted = true) {
	const search = q.trim() === '' ? undefined : q.trim();
	return useInfiniteQuery(
		api.chat.list.infiniteOptions({
			input: (cursor: string | undefined) => ({ search, show, cursor, limit: rowsAtOnce }),
			initialPageParam: undefined as string | undefined,
			getNextPageParam: (last) => last.nextCursor ?? undefined,
			enabled: isWanted,
			placeholderData: keepPreviousData,
		}),
	);
}

/** Where in a conversation something is said; asked for by the inbox while one searches. */
export function useChatHits(userId: string, q: string) {
	const search = q.trim();
	return useQuery(
		api.chat.hits.queryOptions({
			input: { userId, search },
			enabled: search !== '',
			placeholderData: keepPreviousData,
		}),
	);
}

/** Whoever has this address, whether they have written or not; undefined in the data for nobody. */
export function useChatPerson(email: string) {
	return useQuery(
		api.people.list.queryOptions({
			input: { search: email, limit: 20 },
			enabled: email !== '',
			select: ({ items }) => ({ person: items.find((one) => one.email.toLowerCase() === email.toLowerCase()) }),
		}),
	);
}

export type ChatPersonFound = CallOutputs['people']['list']['items'][number];

const peopleAtOnce = 20;

/** Members whom a search names, but those with whom a conversation was found. Waits until all of these are here. */
export function usePeopleBeside(q: string, { found, isAll }: { found: readonly ChatSummary[]; isAll: boolean }) {
	const search = q.trim();
	const { data } = useQuery(
		api.people.list.queryOptions({ input: { search, limit: peopleAtOnce }, enabled: isAll && search !== '' }),
	);
	if (!isAll || search === '') return [];
	const known = new Set(found.map(({ userId }) => userId));
	return (data?.items ?? []).filter(({ id, role }) => role === 'user' && !known.has(id));
}

/** Messages that the person has not seen; 0 while nobody is signed in. */
export function useUnreadChat(): number {
	const session = useSession();
	const isAsked = session.state === 'active' && !session.me.mustSetUpTwoFactor;
	const { data } = useQuery({ ...api.chat.unread.queryOptions(), enabled: isAsked });
	return isAsked ? (data?.unread ?? 0) : 0;
}

/** How members reach the owner beside the chat. */
export function useContactInfo() {
	return useQuery(api.contactInfo.get.queryOptions());
}

/** Saves it. Refusals stand in the form. */
export function useSaveContactInfo() {
	const queryClient = useQueryClient();
	return useMutation(
		api.contactInfo.save.mutationOptions({
			onSuccess: () => toastSuccess(m.chat_contact_saved()),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.contactInfo.key() }),
		}),
	);
}

/** 'Delete All Chat'. */
export function useClearChat() {
	const queryClient = useQueryClient();
	return useMutation(
		api.chat.clear.mutationOptions({
			onSuccess: () => {
				void queryClient.invalidateQueries({ queryKey: api.chat.key() });
				toastSuccess(m.chat_cleared());
			},
			onError: (error) => toastError(describeFailure(error).message),
		}),
	);
}
