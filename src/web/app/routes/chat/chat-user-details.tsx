import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { BookAccessButton } from '#web/features/book/administration/access/book-access-actions.tsx';
import { editionLabel } from '#web/features/book/shelf/edition-labels.ts';
import { useBookOutline } from '#web/features/book/shelf/shelf-api.ts';
import { UserPanel } from '#web/features/chat/inbox/user-panel.tsx';
import { UserOrders } from '#web/features/orders/user-orders.tsx';
import { api } from '#web/platform/api/client.ts';
import { useMe } from '#web/platform/session/session.ts';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';

export function ChatUserDetails({ userId }: { userId: string }) {
	const { offered, title } = useBookOutline();
	return (
		<LoadedSettings
			query={useQuery(api.chatPerson.get.queryOptions({ input: { userId } }))}
			failed={m.chat_user_failed()}
			skeleton={<SkeletonLines label={m.chat_user_loading()} count={5} height="64px" />}
		>
			{(card) => (
				<UserPanel
					card={card}
					orders={<UserOrders orders={card.orders} userName={card.person.name} />}
					bookAccess={<BookAccessButton person={card.person} />}
					editions={card.book.editions.map((edition) => editionLabel(offered, edition) || title)}
				/>
			)}
		</LoadedSettings>
	);
}

export function useDetailsVisible() {
	return useLocalStorage({
		key: `folio.chat-details.${useMe().id}`,
		defaultValue: true,
		getInitialValueInEffect: false,
		sync: false,
		// Earlier versions stored `folded` and `shown`.
		deserialize: (stored) => stored !== 'false' && stored !== 'folded',
	});
}
