import { useMediaQuery } from '@mantine/hooks';
import { IconAddressBook, IconArrowLeft, IconTrash, IconUserCircle } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { m } from '#messages';
import {
	type ChatsSearch,
	chatsAddress,
	chatsSearch,
	useChatPerson,
	useClearChat,
} from '#web/features/chat/chat.api.ts';
import { ChatConversation } from '#web/features/chat/chat-conversation.tsx';
import { ChatHits } from '#web/features/chat/chat-hits.tsx';
import { ChatList } from '#web/features/chat/chat-list.tsx';
import { ContactInfoDialog } from '#web/features/chat/contact-info-dialog.tsx';
import { useOpenedInUrl, useUrlState } from '#web/platform/url-state.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx';
import { EmptyState, FailedQuery } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SkeletonLines } from '#web/ui/skeleton.tsx';
import { useHeadingFocus } from '#web/ui/use-heading-focus.ts';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import { ChatPerson } from './chat-person.tsx';
import { ChatPreview } from './chat-preview.tsx';
import classes from './chat-screen.module.css';
import { useShownDetails } from './use-shown-details.ts';

/** /admin/contact: the owner's inbox, and the conversation that is open beside it; on a phone one of both. */
export function AdminContactScreen() {
	const [search, setSearch] = useUrlState(chatsSearch);
	const { person, q, show } = search;
	const [isEditing, setEditing] = useState(false);
	return (
		<div className={classes.screen}>
			<div className={classes.top} data-chosen={person === '' ? undefined : true}>
				<PageHeader
					title={m.screen_admin_contact()}
					actions={
						<Button icon={<IconAddressBook {...iconProps} />} onClick={() => setEditing(true)}>
							{m.chat_contact()}
						</Button>
					}
				/>
			</div>
			<div className={`${classes.body} ${classes.parts}`} data-chosen={person === '' ? undefined : true}>
				<ChatList
					chosen={person}
					q={q}
					show={show}
					onSearch={(text) => setSearch({ q: text, message: 0 })}
					onShow={(chosen) => setSearch({ show: chosen }, { isNewStep: true })}
				/>
				<div className={classes.open}>
					{person === '' ? (
						<EmptyState text={m.chat_choose()} />
					) : (
						<OpenChat key={person} search={search} onGo={(message) => setSearch({ message })} />
					)}
				</div>
			</div>
			{isEditing && <ContactInfoDialog onClose={() => setEditing(false)} />}
		</div>
	);
}

interface OpenChatProps {
	search: ChatsSearch;
	/** Another message is looked at. */
	onGo: (sequence: number) => void;
}

function OpenChat({ search: { person: email, q, show, message }, onGo }: OpenChatProps) {
	const found = useChatPerson(email);
	const [isAsked, setAsked] = useState(false);
	const [asked, setAskedAgain] = useState(0);
	// Whoever presses again looks for the same once more.
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above.
	const target = useMemo(() => (message === 0 ? null : { sequence: message }), [message, asked]);
	// As wide as a column of its own beside the conversation needs it.
	const isWide = useMediaQuery('(min-width: 75em)', false, { getInitialValueInEffect: false });
	const [isBeside, setBeside] = useShownDetails();
	const sheet = useOpenedInUrl('details');
	const isSheet = sheet.opened !== null;
	const clear = useClearChat();
	const heading = useHeadingFocus<HTMLHeadingElement>();
	const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
	const isPhone = useIsPhone();
	// Whoever opens it from the list goes on in it: at the field, or where that would bring up a keyboard, at its head.
	const [focused] = useState(() => {
		if (!document.activeElement?.closest('a[data-chat]')) return null;
		return isTouch || isPhone ? 'head' : 'field';
	});
	useEffect(() => {
		if (focused === 'head') heading.current?.focus({ preventScroll: true });
	}, [focused, heading]);
	const person = found.data?.person;
	const name = person?.name ?? email;
	return (
		<div className={classes.both}>
			<div className={classes.talk}>
				<header className={classes.head}>
					<ButtonLink
						to="."
						search={chatsAddress({ q, show })}
						variant="quiet"
						className={classes.back}
						aria-label={m.chat_back()}
						icon={<IconArrowLeft {...iconProps} />}
					/>
					<div className={classes.who}>
						<h2 ref={heading} tabIndex={-1} className={classes.name}>
							<bdi>{name}</bdi>
						</h2>
						{name !== email && <p className={classes.email}>{email}</p>}
					</div>
					{person !== undefined && (
						<Button
							variant="quiet"
							className={classes.details}
							icon={<IconUserCircle {...iconProps} />}
							aria-label={m.chat_person_details()}
							title={m.chat_person_details()}
							aria-expanded={isWide ? isBeside : isSheet}
							onClick={() => (isWide ? setBeside(!isBeside) : sheet.open('1'))}
						>
							<span>{m.chat_person_details()}</span>
						</Button>
					)}
					{person !== undefined && (
						<Button
							variant="quiet"
							className={classes.clear}
							icon={<IconTrash {...iconProps} />}
							aria-label={m.chat_clear()}
							title={m.chat_clear()}
							onClick={() => setAsked(true)}
						>
							<span>{m.chat_clear()}</span>
						</Button>
					)}
				</header>
				{found.isPending ? (
					<SkeletonLines label={m.chat_loading()} count={4} height="52px" />
				) : found.isError ? (
					<FailedQuery text={m.chat_failed()} query={found} />
				) : person === undefined ? (
					<EmptyState text={m.chat_unknown_person()} />
				) : (
					<>
						<ChatHits
							userId={person.id}
							q={q}
							at={message}
							onGo={(sequence) => {
								setAskedAgain(asked + 1);
								onGo(sequence);
							}}
						/>
						<ChatConversation
							key={person.id}
							userId={person.id}
							own="admin"
							name={name}
							target={target}
							repliesTo={person.name}
							isFocused={focused === 'field'}
							preview={(messages) => <ChatPreview messages={messages} />}
						/>
						<ConfirmDialog
							isOpen={isAsked}
							onClose={() => setAsked(false)}
							onConfirm={() => clear.mutate({ userId: person.id }, { onSettled: () => setAsked(false) })}
							question={m.chat_clear_question()}
							detail={m.chat_clear_detail({ name: name === email ? email : `${name} (${email})` })}
							confirmLabel={m.chat_clear()}
							isBusy={clear.isPending}
						/>
					</>
				)}
			</div>
			{person !== undefined && isWide && isBeside && (
				<aside className={classes.person} aria-label={m.chat_person({ name })}>
					<ChatPerson key={person.id} userId={person.id} />
				</aside>
			)}
			{person !== undefined && !isWide && (
				<Dialog isOpen={isSheet} onClose={sheet.close} title={m.chat_person_details()} width={500}>
					<ChatPerson userId={person.id} />
				</Dialog>
			)}
		</div>
	);
}
