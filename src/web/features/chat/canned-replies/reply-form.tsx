import { Box, Group, Stack, Textarea } from '@mantine/core';
import { IconPaperclip, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { type CannedReply, namePlaceholder } from '#contract/chat/canned-replies.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatStorage } from '#web/platform/formats/format.ts';
import { fieldError, TextField } from '#web/ui/forms/field.tsx';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { FileButton, InputError } from '#web/ui/primitives/file-button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { FailureNotice } from '#web/ui/states/notice.tsx';
import classes from './canned-replies.module.css';
import { type ReplyDraft, saveReply } from './canned-replies.ts';

const width = 600;

interface ReplyFormProps {
	/** The reply to edit; null for a new reply. */
	reply: CannedReply | null;
	onClose: () => void;
}

export function ReplyForm({ reply, onClose }: ReplyFormProps) {
	const [draft, setDraft] = useState<ReplyDraft>({
		saved: reply,
		name: reply?.name ?? '',
		message: reply?.message ?? '',
		removedFileIds: [],
		addedFiles: [],
	});
	const [isEmpty, setEmpty] = useState(false);
	const save = useChange((submittedDraft: ReplyDraft) => saveReply(submittedDraft, setDraft), {
		refetch: [api.cannedReplies.key()],
		isPendingUntilRefetched: true,
		onSuccess: () => toastSuccess(m.chat_replies_saved()),
		onError: shownInForm,
	});
	const change = (part: Partial<ReplyDraft>) => {
		setEmpty(false);
		setDraft({ ...draft, ...part });
	};
	const keptFiles = (draft.saved?.files ?? []).filter(({ id }) => !draft.removedFileIds.includes(id));
	const count = keptFiles.length + draft.addedFiles.length;
	const isTyped =
		draft.name !== (draft.saved?.name ?? '') ||
		draft.message !== (draft.saved?.message ?? '') ||
		draft.removedFileIds.length > 0 ||
		draft.addedFiles.length > 0;
	const { failure } = save;
	const fields: Record<string, string> = failure?.fields ?? {};

	function submit(): void {
		if (draft.message.trim() === '' && count === 0) setEmpty(true);
		else save.mutate(draft, { onSuccess: onClose });
	}

	return (
		<Dialog
			onClose={onClose}
			title={reply === null ? m.chat_replies_add() : m.chat_replies_edit_of({ name: reply.name })}
			width={width}
			isDirty={isTyped}
			isDismissible={!save.isPending}
			onSubmit={submit}
			footer={
				<>
					<Button onClick={onClose} disabled={save.isPending}>
						{m.common_cancel()}
					</Button>
					<Button type="submit" variant="primary" disabled={save.isPending}>
						{save.isPending ? m.chat_replies_saving() : m.chat_replies_save()}
					</Button>
				</>
			}
		>
			<Stack gap={16}>
				<FailureNotice failure={failure} />
				<TextField
					label={m.chat_replies_name()}
					value={draft.name}
					maxLength={limits.cannedReplyNameMaxLength}
					error={fields.name}
					onChange={({ currentTarget }) => change({ name: currentTarget.value })}
					data-autofocus
				/>
				<Textarea
					label={m.chat_replies_text()}
					description={m.chat_replies_text_hint({ placeholder: namePlaceholder })}
					autosize
					minRows={4}
					maxRows={12}
					dir="auto"
					maxLength={limits.cannedReplyMaxLength}
					value={draft.message}
					error={fieldError(isEmpty ? m.chat_replies_nothing() : fields.message)}
					onChange={({ currentTarget }) => change({ message: currentTarget.value })}
				/>
				<Stack gap={8}>
					<Box component="p" fz="var(--text-13)" fw={550}>
						{m.chat_replies_attached()}
					</Box>
					{count > 0 && (
						<Stack component="ul" gap={6}>
							{keptFiles.map(({ id, name, sizeBytes }) => (
								<Attachment
									key={id}
									name={name}
									sizeBytes={sizeBytes}
									onRemove={() => change({ removedFileIds: [...draft.removedFileIds, id] })}
								/>
							))}
							{draft.addedFiles.map((file) => (
								<Attachment
									key={fileKey(file)}
									name={file.name}
									sizeBytes={file.size}
									onRemove={() => change({ addedFiles: draft.addedFiles.filter((addedFile) => addedFile !== file) })}
								/>
							))}
						</Stack>
					)}
					<div>
						<FileButton
							label={m.chat_replies_attach()}
							size="small"
							icon={IconPaperclip}
							disabled={count >= limits.cannedReplyFilesMax}
							onFile={(file) =>
								change({
									addedFiles: [...draft.addedFiles.filter((addedFile) => fileKey(addedFile) !== fileKey(file)), file],
								})
							}
						>
							{m.chat_replies_attach()}
						</FileButton>
					</div>
					<InputError text={fields.file} />
				</Stack>
			</Stack>
		</Dialog>
	);
}

/** Identifies a file, so that the same file is not added twice. */
const fileKey = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`;

function Attachment({ name, sizeBytes, onRemove }: { name: string; sizeBytes: number; onRemove: () => void }) {
	return (
		<Group component="li" gap={10} wrap="nowrap" p="6px 6px 6px 10px" bd="1px solid var(--line)" bdrs="var(--radius-1)">
			<FileIcon name={name} />
			<Box component="bdi" flex={1} fw={550} className={textClasses.cut} title={name}>
				{name}
			</Box>
			<span className={classes.size}>{formatStorage(sizeBytes)}</span>
			<IconButton size="small" label={m.chat_replies_detach_of({ name })} icon={IconX} onClick={onRemove} />
		</Group>
	);
}
