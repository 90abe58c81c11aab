import { m } from '#messages';
import { ChatConversation } from '#web/features/chat/conversation/chat-conversation.tsx';
import { ContactInfoLine } from '#web/features/settings/contact-info.tsx';
import { useMe } from '#web/platform/session/session.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import { EmptyState } from '#web/ui/states/states.tsx';
import { ChatFilePreview } from './chat-file-preview.tsx';
import classes from './chat-screen.module.css';

export function MemberChatScreen() {
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
					renderPreview={(messages) => <ChatFilePreview messages={messages} />}
				/>
			</div>
		</div>
	);
}
