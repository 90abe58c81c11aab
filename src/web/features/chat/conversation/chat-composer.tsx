import { Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconMessage2Bolt, IconPaperclip, IconSend2, IconX } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { fillReply } from '../canned-replies/canned-replies.ts';
import { RepliesDialog } from '../canned-replies/replies-dialog.tsx';
import { type ChosenReply, ReplyPicker } from '../canned-replies/reply-picker.tsx';
import type { AttachedFile, ConversationStore } from '../state/conversation-store.ts';
import classes from './conversation.module.css';

interface ChatComposerProps {
	store: ConversationStore;
	/** Files to send with the next message. */
	attached: readonly AttachedFile[];
	/** The recipient's name for canned replies; null if unknown. If undefined, canned replies are not offered. */
	cannedReplyName?: string | null | undefined;
	isFocused: boolean;
}

/** Needs a `key` that changes with the conversation. */
export function ChatComposer({ store, attached, cannedReplyName, isFocused }: ChatComposerProps) {
	const [draft, setDraft] = useState(store.getDraft);
	const field = useRef<HTMLTextAreaElement>(null);
	const chooser = useRef<HTMLInputElement>(null);
	// On a touch keyboard, Enter adds a line.
	const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
	const isEmpty = draft.trim() === '' && attached.length === 0;
	const hasReplies = cannedReplyName !== undefined;
	const [open, setOpen] = useState<'replies' | 'manage' | null>(null);

	// biome-ignore lint/correctness/useExhaustiveDependencies: the field's height depends on its text.
	useLayoutEffect(() => {
		const element = field.current;
		if (element === null) return;
		// Fixes the form's height while the field is measured, so that the messages above do not move.
		const around = element.form?.style;
		around?.setProperty('min-height', `${element.form?.offsetHeight}px`);
		element.style.height = 'auto';
		element.style.height = `${element.scrollHeight}px`;
		around?.removeProperty('min-height');
	}, [draft]);

	useEffect(() => {
		if (isFocused) field.current?.focus({ preventScroll: true });
	}, [isFocused]);

	function onType(next: string): void {
		// Compares the text, because phone keyboards do not report keys.
		if (hasReplies && draft === '' && next === '/') setOpen('replies');
		else replaceDraft(next);
	}

	function choose({ message, files }: ChosenReply): void {
		const reply = fillReply(message, cannedReplyName ?? null);
		const next = draft.trim() === '' ? reply : `${draft.trimEnd()}\n${reply}`;
		if (reply !== '') replaceDraft(next.slice(0, limits.textMaxLength));
		store.attach(files.map(({ id: fileId, name }) => ({ fileId, name })));
		closeReplies();
	}

	function closeReplies(): void {
		setOpen(null);
		field.current?.focus();
	}

	function replaceDraft(next: string): void {
		setDraft(next);
		store.updateDraft(next);
	}

	function send(): void {
		if (isEmpty) return;
		store.sendText(draft);
		setDraft('');
		field.current?.focus();
	}

	function sendFiles(files: FileList | null | undefined): boolean {
		if (files === null || files === undefined || files.length === 0) return false;
		store.sendFiles([...files]);
		return true;
	}

	function onKeyDown(event: KeyboardEvent): void {
		const isSend = event.key === 'Enter' && !event.shiftKey && !isTouch;
		// With an input method, for example for Hindi, Enter can complete a word.
		if (!isSend || event.nativeEvent.isComposing) return;
		event.preventDefault();
		send();
	}

	function onPaste(event: ClipboardEvent): void {
		// Office programs copy text together with an image of it. Only the text is pasted then.
		if (event.clipboardData.types.includes('text/plain')) return;
		if (sendFiles(event.clipboardData.files)) event.preventDefault();
	}

	return (
		<>
			<form
				className={classes.composer}
				onSubmit={(event) => {
					event.preventDefault();
					send();
				}}
			>
				<textarea
					ref={field}
					className={classes.field}
					rows={1}
					dir="auto"
					aria-label={m.chat_field()}
					placeholder={m.chat_placeholder()}
					maxLength={limits.textMaxLength}
					value={draft}
					onChange={({ currentTarget }) => onType(currentTarget.value)}
					onKeyDown={onKeyDown}
					onPaste={onPaste}
				/>
				{attached.length > 0 && (
					<Group component="ul" gap={6} py={4} pr={8} aria-label={m.chat_attached()}>
						{attached.map(({ fileId, name }) => (
							<li key={fileId} className={classes.chip}>
								<IconPaperclip {...smallIconProps} color="var(--muted)" />
								<bdi className={textClasses.cut} title={name}>
									{name}
								</bdi>
								<IconButton
									size="small"
									label={m.chat_detach_of({ name })}
									icon={IconX}
									onClick={() => {
										store.detach(fileId);
										field.current?.focus();
									}}
								/>
							</li>
						))}
					</Group>
				)}
				<Group gap={12} ml={-10} wrap="nowrap">
					<input
						ref={chooser}
						type="file"
						multiple
						hidden
						aria-label={m.chat_attach()}
						onChange={({ currentTarget }) => {
							sendFiles(currentTarget.files);
							// Allows choosing the same file again.
							currentTarget.value = '';
						}}
					/>
					<IconButton label={m.chat_attach()} icon={IconPaperclip} onClick={() => chooser.current?.click()} />
					{hasReplies && (
						<IconButton
							label={m.chat_replies()}
							icon={IconMessage2Bolt}
							aria-haspopup="dialog"
							aria-expanded={open === 'replies'}
							// Otherwise the press would close the list, and the click would open the list again.
							onMouseDown={(event) => event.stopPropagation()}
							onTouchStart={(event) => event.stopPropagation()}
							onClick={() => (open === 'replies' ? closeReplies() : setOpen('replies'))}
						/>
					)}
					{!isTouch && <span className={classes.hint}>{m.chat_hint()}</span>}
					<Button type="submit" variant="primary" style={{ marginLeft: 'auto' }} disabled={isEmpty} icon={IconSend2}>
						{m.chat_send()}
					</Button>
				</Group>
				{open === 'replies' && (
					<ReplyPicker onChoose={choose} onManage={() => setOpen('manage')} onClose={closeReplies} />
				)}
			</form>
			{/* Outside the form, so that submitting the dialog's form does not send a message. */}
			{open === 'manage' && <RepliesDialog onClose={closeReplies} />}
		</>
	);
}
