import { Box, Flex, Group } from '@mantine/core';
import {
	type Icon,
	IconCheck,
	IconChecks,
	IconClock,
	IconDownload,
	IconEye,
	IconRefresh,
	IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { ChatMessage, ChatSide } from '#contract/chat/chat.ts';
import { previewKindByName, previewOf } from '#contract/files/file-types.ts';
import { m } from '#messages';
import { formatDateTime, formatStorage, formatTime } from '#web/platform/formats/format.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { type ChatLog, isViewedByOther } from '../state/chat-log.ts';
import type { ConversationStore } from '../state/conversation-store.ts';
import { splitLinks } from './chat-links.ts';
import type { ChatRow } from './chat-rows.ts';
import classes from './conversation.module.css';

interface SentBubbleProps {
	row: Extract<ChatRow, { kind: 'message' }>;
	log: ChatLog;
	own: ChatSide;
	name: string;
	isHighlighted: boolean;
	onOpen: (message: ChatMessage) => void;
}

export function SentBubble({ row: { message, isFirst }, log, own, name, isHighlighted, onOpen }: SentBubbleProps) {
	const isOwn = message.sender === own;
	return (
		<Bubble
			isOwn={isOwn}
			isFirst={isFirst}
			isHighlighted={isHighlighted}
			isFile={message.isFile}
			senderName={isOwn ? m.chat_you() : name}
		>
			{message.isFile ? <SentFile message={message} onOpen={onOpen} /> : <MessageText text={message.message} />}
			<span className={classes.foot}>
				<time dateTime={message.createdAt} title={formatDateTime(message.createdAt)}>
					{formatTime(message.createdAt)}
				</time>
				{isOwn &&
					(isViewedByOther(log, message) ? (
						<Status label={m.chat_read()} icon={IconChecks} isViewed />
					) : (
						<Status label={m.chat_sent()} icon={IconCheck} />
					))}
			</span>
		</Bubble>
	);
}

interface UnsentBubbleProps {
	row: Extract<ChatRow, { kind: 'unsent' }>;
	store: ConversationStore;
}

export function UnsentBubble({ row: { unsent, isFirst }, store }: UnsentBubbleProps) {
	const { clientId, file, status } = unsent;
	const isFailed = status === 'failed';
	const reason = unsent.errorText || unsent.retryReason;
	return (
		<div>
			<Bubble isOwn isFirst={isFirst} senderName={m.chat_you()} isFailed={isFailed} isFile={file !== null}>
				{file === null ? (
					<MessageText text={unsent.text} />
				) : (
					<UnsentFilePreview name={file.name} file={store.findFile(clientId)} />
				)}
				{file !== null && status === 'sending' && (
					<ProgressBar label={m.chat_progress_of({ name: file.name })} value={unsent.progress} />
				)}
				<span className={classes.foot}>
					<time dateTime={unsent.writtenAt}>{formatTime(unsent.writtenAt)}</time>
					{!isFailed && <Status label={status === 'waiting' ? m.chat_waiting() : m.chat_sending()} icon={IconClock} />}
				</span>
			</Bubble>
			{isFailed && (
				<Box pt={4} c="var(--negative)" fz="var(--text-13)" ta="end" role="alert">
					<p>{m.error_message_not_sent()}</p>
					{reason !== '' && reason !== m.error_message_not_sent() && (
						<Box component="p" c="var(--ink-2)">
							{reason}
						</Box>
					)}
					<Group gap={4} justify="flex-end" pt={4}>
						{store.canRetry(clientId) && (
							<Button size="small" icon={IconRefresh} onClick={() => store.retry(clientId)}>
								{m.chat_retry()}
							</Button>
						)}
						<Button size="small" variant="quiet" icon={IconTrash} onClick={() => store.removeUnsent(clientId)}>
							{m.chat_delete()}
						</Button>
					</Group>
				</Box>
			)}
		</div>
	);
}

interface BubbleProps {
	isOwn: boolean;
	isFirst: boolean;
	isFailed?: boolean;
	isHighlighted?: boolean;
	/** Whether the message is a file. The time of a file is below it; the time of a text can be beside it. */
	isFile: boolean;
	senderName: string;
	children: ReactNode;
}

function Bubble({ isOwn, isFirst, isFailed, isHighlighted, isFile, senderName, children }: BubbleProps) {
	return (
		<div className={classes.line} data-own={isOwn || undefined} data-first={isFirst || undefined}>
			<div
				className={classes.bubble}
				data-failed={isFailed || undefined}
				data-marked={isHighlighted || undefined}
				data-file={isFile || undefined}
			>
				<span className={textClasses.hidden}>{`${senderName}: `}</span>
				{children}
			</div>
		</div>
	);
}

/** Keeps line breaks, and renders URLs as links. */
function MessageText({ text }: { text: string }) {
	return (
		<p className={classes.text} dir="auto">
			{splitLinks(text).map(({ text: part, href }, index) => {
				// biome-ignore-start lint/suspicious/noArrayIndexKey: the pieces of a text never change places.
				if (href === null) return <span key={index}>{part}</span>;
				return (
					<a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow">
						{part}
					</a>
				);
				// biome-ignore-end lint/suspicious/noArrayIndexKey: the pieces of a text never change places.
			})}
		</p>
	);
}

function Status({ label, icon: StatusIcon, isViewed }: { label: string; icon: Icon; isViewed?: boolean }) {
	return (
		<span role="img" aria-label={label} title={label} className={classes.ticks} data-viewed={isViewed}>
			<StatusIcon {...smallIconProps} />
		</span>
	);
}

function SentFile({ message, onOpen }: { message: ChatMessage; onOpen: (message: ChatMessage) => void }) {
	const [isBroken, setBroken] = useState(false);
	const name = message.fileName ?? '';
	const preview = previewOf(name, message.fileType);
	if (preview === 'image' && !isBroken) {
		return (
			<button
				type="button"
				className={classes.picture}
				aria-label={m.chat_open_of({ name })}
				onClick={() => onOpen(message)}
			>
				<img src={message.message} alt={name} loading="lazy" onError={() => setBroken(true)} />
			</button>
		);
	}
	return (
		<FileLine name={name} sizeBytes={message.fileSizeBytes}>
			{preview !== null && (
				<IconButton label={m.chat_open_of({ name })} icon={IconEye} onClick={() => onOpen(message)} />
			)}
			<a
				className={classes.download}
				href={`${message.message}?download=1`}
				download
				aria-label={m.chat_download_of({ name })}
				title={m.chat_download_of({ name })}
			>
				<IconDownload {...iconProps} />
			</a>
		</FileLine>
	);
}

function UnsentFilePreview({ name, file }: { name: string; file: File | undefined }) {
	const [url, setUrl] = useState<string>();
	const isShown = file !== undefined && previewKindByName(name) === 'image';
	useEffect(() => {
		if (!isShown) return;
		const objectUrl = URL.createObjectURL(file);
		setUrl(objectUrl);
		return () => URL.revokeObjectURL(objectUrl);
	}, [isShown, file]);
	if (isShown && url !== undefined) {
		return (
			<span className={classes.picture}>
				<img src={url} alt={name} />
			</span>
		);
	}
	return <FileLine name={name} sizeBytes={file?.size ?? null} />;
}

function FileLine({ name, sizeBytes, children }: { name: string; sizeBytes: number | null; children?: ReactNode }) {
	return (
		<span className={classes.file}>
			<FileIcon name={name} />
			<Flex component="span" direction="column" gap={0} flex={1} miw={0}>
				<bdi className={classes.fileName} title={name}>
					{name}
				</bdi>
				{sizeBytes !== null && <span className={textClasses.smallFigure}>{formatStorage(sizeBytes)}</span>}
			</Flex>
			{children}
		</span>
	);
}
