import { Box } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAddressBook, IconArrowLeft, IconTrash, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useMemo, useState } from 'react';
import { m } from '#messages';
import { type ChatsSearch, chatsAddress, chatsSearch } from '#web/features/chat/chat-api.ts';
import { ChatConversation } from '#web/features/chat/conversation/chat-conversation.tsx';
import { ChatSearchHits } from '#web/features/chat/conversation/chat-search-hits.tsx';
import { ChatList } from '#web/features/chat/inbox/chat-list.tsx';
import { ContactInfoDialog } from '#web/features/settings/contact-info-dialog.tsx';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { useOpenedInUrl, useUrlState } from '#web/platform/browser/url-state.ts';
import { useHeadingFocus } from '#web/ui/hooks/focus.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { ChatFilePreview } from './chat-file-preview.tsx';
import classes from './chat-screen.module.css';
import { ChatUserDetails, useDetailsVisible } from './chat-user-details.tsx';

/** /admin/contact: the inbox beside the open conversation. A phone shows only one of the two. */
export function AdminChatsScreen() {
	const [search, setSearch] = useUrlState(chatsSearch);
	const { person, q, show } = search;
	const [isEditing, setEditing] = useState(false);
	return (
		<div className={classes.screen}>
			{/* On a phone, the open conversation's heading is shown instead. Screen readers read both headings. */}
			<div className={person === '' ? undefined : `${classes.top} ${textClasses.hiddenOnPhone}`}>
				<PageHeader
					title={m.screen_admin_contact()}
					actions={
						<Button icon={IconAddressBook} onClick={() => setEditing(true)}>
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
	onGo: (sequence: number) => void;
}

function OpenChat({ search: { person: email, q, show, message }, onGo }: OpenChatProps) {
	const userQuery = useQuery(
		api.people.list.queryOptions({
			input: { search: email, limit: 20 },
			select: ({ items }) => ({ person: items.find((user) => user.email.toLowerCase() === email.toLowerCase()) }),
		}),
	);
	const [isConfirmingClear, setConfirmingClear] = useState(false);
	const [searchCount, setSearchCount] = useState(0);
	// Selecting a match creates a new object, so that the conversation scrolls even to the same match again.
	// biome-ignore lint/correctness/useExhaustiveDependencies: selecting the same match again must create a new object.
	const target = useMemo(() => (message === 0 ? null : { sequence: message }), [message, searchCount]);
	// Whether the window is wide enough for the user's details beside the conversation.
	const isWide = useMediaQuery('(min-width: 75em)', false, { getInitialValueInEffect: false });
	const [isBeside, setBeside] = useDetailsVisible();
	const sheet = useOpenedInUrl('details');
	const isSheet = sheet.opened !== null;
	const clear = useChange(client.chat.clear, {
		refetch: [api.chat.key()],
		onSuccess: () => toastSuccess(m.chat_cleared()),
	});
	const heading = useHeadingFocus<HTMLHeadingElement>();
	const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
	const isPhone = useIsPhone();
	// After the user opens a conversation from the list, the text field gets the focus. On phones and touch devices,
	// the heading gets the focus, because the field would open the on-screen keyboard.
	const [focused] = useState(() => {
		if (!document.activeElement?.closest('a[data-chat]')) return null;
		return isTouch || isPhone ? 'heading' : 'field';
	});
	useEffect(() => {
		if (focused === 'heading') heading.current?.focus({ preventScroll: true });
	}, [focused, heading]);
	const person = userQuery.data?.person;
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
						icon={IconArrowLeft}
					/>
					<Box flex={1} miw={0}>
						<h2 ref={heading} tabIndex={-1} className={classes.name}>
							<bdi>{name}</bdi>
						</h2>
						{name !== email && <p className={`${textClasses.cut} ${textClasses.note}`}>{email}</p>}
					</Box>
					{person !== undefined && (
						<>
							<HeaderButton
								className={classes.details}
								icon={IconUserCircle}
								label={m.chat_user_details()}
								aria-expanded={isWide ? isBeside : isSheet}
								onClick={() => (isWide ? setBeside(!isBeside) : sheet.open('1'))}
							/>
							<HeaderButton
								className={classes.clear}
								icon={IconTrash}
								label={m.chat_clear()}
								onClick={() => setConfirmingClear(true)}
							/>
						</>
					)}
				</header>
				{userQuery.isPending ? (
					<SkeletonLines label={m.chat_loading()} count={4} height="52px" />
				) : userQuery.isError ? (
					<FailedQuery text={m.chat_failed()} query={userQuery} />
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

function HeaderButton({ label, ...button }: ComponentProps<typeof Button> & { label: string }) {
	return (
		<Button variant="quiet" aria-label={label} title={label} {...button}>
			<span>{label}</span>
		</Button>
	);
}
