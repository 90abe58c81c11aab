import { useLocalStorage } from '@mantine/hooks';
import { m } from '#messages';
import { BookAccessButton } from '#web/features/book/administration/access/book-access-actions.tsx';
import { editionLabel } from '#web/features/book/shelf/edition-labels.ts';
import { useUserCard } from '#web/features/chat/chat-api.ts';
import { UserPanel } from '#web/features/chat/inbox/user-panel.tsx';
import { UserOrders } from '#web/features/orders/user-orders.tsx';
import { useMe } from '#web/platform/session/session.ts';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';

/** Details of the user beside their conversation. */
export function ChatUserDetails({ userId }: { userId: string }) {
	const card = useUserCard(userId);
	if (card.data === undefined) {
		return card.isError ? (
			<FailedQuery text={m.chat_user_failed()} query={card} />
		) : (
			<SkeletonLines label={m.chat_user_loading()} count={5} height="64px" />
		);
	}
	return (
		<UserPanel
			card={card.data}
			orders={<UserOrders orders={card.data.orders} userName={card.data.person.name} />}
			bookAccess={<BookAccessButton person={card.data.person} />}
			editions={card.data.book.editions.map(editionLabel)}
		/>
	);
}

/** Whether the details are shown beside a conversation, as last chosen in this browser. */
export function useDetailsVisible() {
	const [choice, choose] = useLocalStorage<'shown' | 'folded'>({
		key: `folio.chat-details.${useMe().id}`,
		defaultValue: 'shown',
		getInitialValueInEffect: false,
		sync: false,
		serialize: String,
		deserialize: (stored) => (stored === 'folded' ? 'folded' : 'shown'),
	});
	return [choice === 'shown', (isShown: boolean) => choose(isShown ? 'shown' : 'folded')] as const;
}
