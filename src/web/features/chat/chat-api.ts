import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ChatSummary, chatFilters } from '#contract/chat/chat.ts';
import { api, cursorPaging } from '#web/platform/api/client.ts';
import { integer, oneOf, orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { omitDefaults } from '#web/platform/browser/url-state.ts';
import { useSession } from '#web/platform/session/session.ts';

/** Search parameters of /admin/contact. `person`: email of a member; `message`: sequence number, 0 for none. */
export const chatsSearch = stateOf({
	person: orElse(text(), ''),
	q: orElse(text(), ''),
	show: orElse(oneOf(chatFilters), 'all'),
	message: orElse(integer(0), 0),
});
export type ChatsSearch = ReturnType<typeof chatsSearch>;

export function chatsAddress(search: Partial<ChatsSearch>): Partial<ChatsSearch> {
	return omitDefaults(chatsSearch, search);
}

const chatsPageSize = 50;

export function useChats({ q, show }: Pick<ChatsSearch, 'q' | 'show'>, isEnabled = true) {
	const search = q.trim() === '' ? undefined : q.trim();
	return useInfiniteQuery(
		api.chat.list.infiniteOptions({
			input: (cursor) => ({ search, show, cursor, limit: chatsPageSize }),
			...cursorPaging,
			enabled: isEnabled,
			placeholderData: keepPreviousData,
		}),
	);
}

const usersPageSize = 20;

/** Returns members who match a search but have no conversation. Empty until all found conversations are loaded. */
export function useUsersWithoutChat(
	q: string,
	{ found, isAll: hasAllChats }: { found: readonly ChatSummary[]; isAll: boolean },
) {
	const search = q.trim();
	const { data } = useQuery(
		api.people.list.queryOptions({ input: { search, limit: usersPageSize }, enabled: hasAllChats && search !== '' }),
	);
	if (!hasAllChats || search === '') return [];
	const foundUserIds = new Set(found.map(({ userId }) => userId));
	return (data?.items ?? []).filter(({ id, role }) => role === 'user' && !foundUserIds.has(id));
}

export function useUnreadCount(): number {
	const session = useSession();
	const isEnabled = session.state === 'active' && !session.me.mustSetUpTwoFactor;
	const { data } = useQuery({ ...api.chat.unread.queryOptions(), enabled: isEnabled });
	return isEnabled ? (data?.unread ?? 0) : 0;
}
