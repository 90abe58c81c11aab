import { Box, Group, Loader, Stack } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { type ChatMessage, type ChatSide, otherSide } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useOpenedInUrl } from '#web/platform/browser/url-state.ts';
import { useIsConnectionLost } from '#web/platform/events/connection-status.ts';
import { useHeightVariable } from '#web/ui/hooks/viewport.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import { Notice } from '#web/ui/states/notice.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedState } from '#web/ui/states/states.tsx';
import type { ChatLog } from '../state/chat-log.ts';
import { type ChatTarget, useConversation } from '../state/use-conversation.ts';
import { useTypingUsers } from '../state/use-typing-users.ts';
import { ChatComposer } from './chat-composer.tsx';
import { ChatThread } from './chat-thread.tsx';
import classes from './conversation.module.css';

interface ChatConversationProps {
	userId: string;
	own: ChatSide;
	name: string;
	isReadOnly?: boolean;
	target?: ChatTarget | null;
	/** The recipient's name for canned replies; null if unknown. If undefined, canned replies are not offered. */
	cannedReplyName?: string | null;
	isFocused?: boolean;
	/** Renders the preview of the file in `?preview=`, if `messages` contains the file. */
	renderPreview: (messages: readonly ChatMessage[]) => ReactNode;
}

/** One conversation. Needs a `key` that changes with the user. */
export function ChatConversation(props: ChatConversationProps) {
	const { userId, own, name, isReadOnly = false, target = null, cannedReplyName, isFocused = false } = props;
	const { open } = useOpenedInUrl('preview');
	const { store, view } = useConversation(userId, own, target);
	// The browser may report a lost connection before the event stream fails.
	const { online } = useNetwork();
	const isDisconnected = useIsConnectionLost() || !online;
	const [isDraggingOver, setDraggingOver] = useState(false);
	const footer = useRef<HTMLDivElement>(null);
	useHeightVariable(footer, '--foot-room');
	const isTyping = useTypingUsers(otherSide(own)).has(userId);
	const { log } = view;
	const isEmpty = log.messages.length === 0 && log.unsent.length === 0;

	function onDragOver(event: DragEvent): void {
		if (isReadOnly || !event.dataTransfer.types.includes('Files')) return;
		event.preventDefault();
		setDraggingOver(true);
	}
	function onDrop(event: DragEvent): void {
		setDraggingOver(false);
		if (isReadOnly || event.dataTransfer.files.length === 0) return;
		event.preventDefault();
		store.sendFiles([...event.dataTransfer.files]);
	}

	return (
		<Stack
			component="section"
			pos="relative"
			flex={1}
			gap={0}
			miw={0}
			mih={0}
			className={classes.conversation}
			aria-label={m.chat_conversation_with({ name })}
			onDragOver={onDragOver}
			onDragLeave={({ currentTarget, relatedTarget }) => {
				if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setDraggingOver(false);
			}}
			onDrop={onDrop}
		>
			{isEmpty ? (
				<Box flex={1} style={{ overflowY: 'auto' }}>
					{log.isLoaded ? (
						<EmptyState text={isReadOnly ? m.chat_empty_view() : m.chat_empty()} />
					) : view.failure === null ? (
						<Box p={24}>
							<SkeletonLines label={m.chat_loading()} count={5} height="52px" />
						</Box>
					) : (
						<FailedState
							text={m.chat_failed()}
							detail={describeFailure(view.failure).message}
							onRetry={() => store.open()}
						/>
					)}
				</Box>
			) : (
				<ChatThread store={store} view={view} own={own} name={name} target={target} onOpen={({ id }) => open(id)} />
			)}
			{log.isLoaded && <NewMessageAnnouncer log={log} own={own} name={name} />}
			<div ref={footer} className={classes.below}>
				<Group gap={8} h={24} wrap="nowrap" c="dimmed" fz="var(--text-13)" role="status">
					{isTyping && (
						<>
							<Loader type="dots" size={24} color="var(--muted)" aria-hidden="true" />
							{m.chat_typing({ name })}
						</>
					)}
				</Group>
				{isDisconnected && (
					<Box mb={8}>
						<Notice tone="info">{m.chat_reconnecting()}</Notice>
					</Box>
				)}
				{isReadOnly ? (
					<Notice tone="info">{m.chat_view_only()}</Notice>
				) : (
					<ChatComposer
						store={store}
						attached={view.attached}
						cannedReplyName={cannedReplyName}
						isFocused={isFocused}
					/>
				)}
			</div>
			{props.renderPreview(log.messages)}
			{isDraggingOver && (
				<div className={classes.drop} aria-hidden="true">
					{m.chat_drop()}
				</div>
			)}
		</Stack>
	);
}

/** Announces incoming messages to screen readers. The list is no live region, because scrolling renders rows again. */
function NewMessageAnnouncer({ log, own, name }: { log: ChatLog; own: ChatSide; name: string }) {
	const [newestAtOpen] = useState(() => log.newest);
	const newest = log.messages.at(-1);
	const isNewMessage = newest !== undefined && newest.sequence > newestAtOpen && newest.sender !== own;
	return (
		<p className={textClasses.hidden} role="status" aria-live="polite">
			{isNewMessage && `${name}: ${newest.isFile ? (newest.fileName ?? '') : newest.message}`}
		</p>
	);
}
