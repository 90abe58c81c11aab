import { m } from '#messages';
import { ChatConversation } from '#web/features/chat/chat-conversation.tsx';
import { ContactInfoLine } from '#web/features/chat/contact-info.tsx';
import { useMe } from '#web/platform/session.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/faces.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { ChatPreview } from './chat-preview.tsx';
import classes from './chat-screen.module.css';

/** /contact: a member's conversation with the owner. */
export function ContactScreen() {
	const me = useMe();
	if (me.role === 'admin') {
		return (
			<>
				<PageHeader title={m.screen_contact()} />
				<EmptyState
					text={m.chat_owner_inbox()}
					action={<ButtonLink to="/admin/contact">{m.chat_to_inbox()}</ButtonLink>}
				/>
			</>
		);
	}
	return (
		<div className={classes.screen}>
			<PageHeader title={m.screen_contact()} />
			<ContactInfoLine />
			<div className={`${classes.body} ${classes.middle}`}>
				<ChatConversation
					key={me.id}
					userId={me.id}
					own="user"
					name={m.chat_support()}
					isReadOnly={me.view !== null}
					preview={(messages) => <ChatPreview messages={messages} />}
				/>
			</div>
		</div>
	);
}
