import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import { chatFilters } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { useSession } from '#web/platform/session/session.ts';

/** Search parameters of /admin/contact. `person`: email of the open conversation's user; `message`: 0 for none. */
export const chatsSearch = z.object({
	person: z.string().default(''),
	q: z.string().default(''),
	show: z.enum(chatFilters).default('all'),
	message: z.coerce.number().int().min(0).default(0),
});
export type ChatsSearch = z.infer<typeof chatsSearch>;

/** Returns search parameters of /admin/contact without those that have their default. */
export function chatsAddress(search: Partial<ChatsSearch>): Partial<ChatsSearch> {
	const defaults: Record<string, unknown> = chatsSearch.parse({});
	return Object.fromEntries(Object.entries(search).filter(([key, value]) => value !== defaults[key]));
}

export type ChatSummary = CallOutputs['chat']['list']['items'][number];

const chatsPageSize = 50;

/** Returns the owner's conversations, newest first, page by page. */
export function useChats({ q, show }: Pick<ChatsSearch, 'q' | 'show'>, isEnabled = true) {
	const search = q.trim() === '' ? undefined : q.trim();
	return useInfiniteQuery(
		api.chat.list.infiniteOptions({
			input: (cursor: string | undefined) => ({ search, show, cursor, limit: chatsPageSize }),
			initialPageParam: undefined as string | undefined,
			getNextPageParam: (last) => last.nextCursor ?? undefined,
			enabled: isEnabled,
			placeholderData: keepPreviousData,
		}),
	);
}

/** Returns the matches of a search in a conversation, for the inbox. */
export function useChatSearchHits(userId: string, q: string) {
	const search = q.trim();
	return useQuery(
		api.chat.hits.queryOptions({
			input: { userId, search },
			enabled: search !== '',
			placeholderData: keepPreviousData,
		}),
	);
}

/** Returns the user with this email, with or without messages; undefined if there is none. */
export function useChatUser(email: string) {
	return useQuery(
		api.people.list.queryOptions({
			input: { search: email, limit: 20 },
			enabled: email !== '',
			select: ({ items }) => ({ person: items.find((one) => one.email.toLowerCase() === email.toLowerCase()) }),
		}),
	);
}

export type ChatUserFound = CallOutputs['people']['list']['items'][number];

const usersPageSize = 20;

/** Returns members who match a search and have no conversation in its results, once all of these are loaded. */
export function useUsersWithoutChat(
	q: string,
	{ found, isAll: hasAllChats }: { found: readonly ChatSummary[]; isAll: boolean },
) {
	const search = q.trim();
	const { data } = useQuery(
		api.people.list.queryOptions({ input: { search, limit: usersPageSize }, enabled: hasAllChats && search !== '' }),
	);
	if (!hasAllChats || search === '') return [];
	const known = new Set(found.map(({ userId }) => userId));
	return (data?.items ?? []).filter(({ id, role }) => role === 'user' && !known.has(id));
}

/** Returns the number of unread messages; 0 when signed out. */
export function useUnreadCount(): number {
	const session = useSession();
	const isEnabled = session.state === 'active' && !session.me.mustSetUpTwoFactor;
	const { data } = useQuery({ ...api.chat.unread.queryOptions(), enabled: isEnabled });
	return isEnabled ? (data?.unread ?? 0) : 0;
}

/** Deletes all messages of a conversation ('Delete All Chat'). */
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

/** Returns the user's details that the owner sees beside a conversation; refetched when they may have changed. */
export function useUserCard(userId: string) {
	return useQuery(api.chatPerson.get.queryOptions({ input: { userId } }));
}

/** Mails a user their login again ('Send login again'). */
export function useSendLogin() {
	const queryClient = useQueryClient();
	return useMutation(
		api.chatPerson.sendLogin.mutationOptions({
			onSuccess: async ({ email }) => {
				const status = await queryClient.fetchQuery(api.mail.status.queryOptions()).catch(() => undefined);
				const isSavedToFile = status?.transport === 'file';
				toastSuccess(isSavedToFile ? m.chat_user_login_saved_as_file({ email }) : m.chat_user_login_sent({ email }));
			},
			onError: (error) => toastError(describeFailure(error).message),
		}),
	);
}
