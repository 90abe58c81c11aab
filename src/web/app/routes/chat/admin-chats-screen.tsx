import { Box } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAddressBook, IconArrowLeft, IconTrash, IconUserCircle } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { m } from '#messages';
import { type ChatsSearch, chatsAddress, chatsSearch, useChatUser, useClearChat } from '#web/features/chat/chat-api.ts';
import { ChatConversation } from '#web/features/chat/conversation/chat-conversation.tsx';
import { ChatSearchHits } from '#web/features/chat/conversation/chat-search-hits.tsx';
import { ChatList } from '#web/features/chat/inbox/chat-list.tsx';
import { ContactInfoDialog } from '#web/features/settings/contact-info-dialog.tsx';
import { useOpenedInUrl, useUrlState } from '#web/platform/browser/url-state.ts';
import { useHeadingFocus } from '#web/ui/hooks/focus.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { ChatFilePreview } from './chat-file-preview.tsx';
import classes from './chat-screen.module.css';
import { ChatUserDetails, useDetailsVisible } from './chat-user-details.tsx';

/** /admin/contact: the owner's inbox, with the open conversation beside it; on a phone, one of the two. */
export function AdminChatsScreen() {
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
			<div className={`${classes.body} ${classes.columns}`} data-chosen={person === '' ? undefined : true}>
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
	/** Called when another message is selected. */
	onGo: (sequence: number) => void;
}

function OpenChat({ search: { person: email, q, show, message }, onGo }: OpenChatProps) {
	const found = useChatUser(email);
	const [isConfirmingClear, setConfirmingClear] = useState(false);
	const [searchCount, setSearchCount] = useState(0);
	// A new object on every press, so that the same match is scrolled to again.
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above.
	const target = useMemo(() => (message === 0 ? null : { sequence: message }), [message, searchCount]);
	// Wide enough for a column of its own beside the conversation.
	const isWide = useMediaQuery('(min-width: 75em)', false, { getInitialValueInEffect: false });
	const [isBeside, setBeside] = useDetailsVisible();
	const sheet = useOpenedInUrl('details');
	const isSheet = sheet.opened !== null;
	const clear = useClearChat();
	const heading = useHeadingFocus<HTMLHeadingElement>();
	const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
	const isPhone = useIsPhone();
	// When the conversation is opened from the list, the focus moves to the text field, or to the heading where the field
	// would open an on-screen keyboard.
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
		<div className={classes.split}>
			<div className={classes.conversation}>
				<header className={classes.header}>
					<ButtonLink
						to="."
						search={chatsAddress({ q, show })}
						variant="quiet"
						className={classes.back}
						aria-label={m.chat_back()}
						icon={<IconArrowLeft {...iconProps} />}
					/>
					<Box flex={1} miw={0}>
						<h2 ref={heading} tabIndex={-1} className={classes.name}>
							<bdi>{name}</bdi>
						</h2>
						{name !== email && <p className={classes.email}>{email}</p>}
					</Box>
					{person !== undefined && (
						<Button
							variant="quiet"
							className={classes.details}
							icon={<IconUserCircle {...iconProps} />}
							aria-label={m.chat_user_details()}
							title={m.chat_user_details()}
							aria-expanded={isWide ? isBeside : isSheet}
							onClick={() => (isWide ? setBeside(!isBeside) : sheet.open('1'))}
						>
							<span>{m.chat_user_details()}</span>
						</Button>
					)}
					{person !== undefined && (
						<Button
							variant="quiet"
							className={classes.clear}
							icon={<IconTrash {...iconProps} />}
							aria-label={m.chat_clear()}
							title={m.chat_clear()}
							onClick={() => setConfirmingClear(true)}
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
					<EmptyState text={m.chat_unknown_user()} />
				) : (
					<>
						<ChatSearchHits
							userId={person.id}
							q={q}
							at={message}
							onSelect={(sequence) => {
								setSearchCount(searchCount + 1);
								onGo(sequence);
							}}
						/>
						<ChatConversation
							key={person.id}
							userId={person.id}
							own="admin"
							name={name}
							target={target}
							cannedReplyName={person.name}
							isFocused={focused === 'field'}
							renderPreview={(messages) => <ChatFilePreview messages={messages} />}
						/>
						<ConfirmDialog
							isOpen={isConfirmingClear}
							onClose={() => setConfirmingClear(false)}
							onConfirm={() => clear.mutate({ userId: person.id }, { onSettled: () => setConfirmingClear(false) })}
							question={m.chat_clear_question()}
							detail={m.chat_clear_detail({ name: name === email ? email : `${name} (${email})` })}
							confirmLabel={m.chat_clear()}
							isBusy={clear.isPending}
						/>
					</>
				)}
			</div>
			{person !== undefined && isWide && isBeside && (
				<aside className={classes.userDetails} aria-label={m.chat_user({ name })}>
					<ChatUserDetails key={person.id} userId={person.id} />
				</aside>
			)}
			{person !== undefined && !isWide && (
				<Dialog isOpen={isSheet} onClose={sheet.close} title={m.chat_user_details()} width={500}>
					<ChatUserDetails userId={person.id} />
				</Dialog>
			)}
		</div>
	);
}
