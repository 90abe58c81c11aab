import { m } from '#messages';
import { usePersonCard } from '#web/features/chat/chat-person.api.ts';
import { PersonPanel } from '#web/features/chat/person-panel.tsx';
import { OrdersOfPerson } from '#web/features/orders/orders-of-person.tsx';
import { BookGrantButton } from '#web/features/reader/book-grant.tsx';
import { editionWords } from '#web/features/reader/edition-words.ts';
import { FailedQuery } from '#web/ui/faces.tsx';
import { SkeletonLines } from '#web/ui/skeleton.tsx';

/** Who a conversation is with, beside it. */
export function ChatPerson({ userId }: { userId: string }) {
	const card = usePersonCard(userId);
	if (card.data === undefined) {
		return card.isError ? (
			<FailedQuery text={m.chat_person_failed()} query={card} />
		) : (
			<SkeletonLines label={m.chat_person_loading()} count={5} height="64px" />
		);
	}
	return (
		<PersonPanel
			card={card.data}
			orders={<OrdersOfPerson orders={card.data.orders} name={card.data.person.name} />}
			grant={<BookGrantButton person={card.data.person} />}
			editions={card.data.book.editions.map(editionWords)}
		/>
	);
}
