import { Box, Group, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPaperclip, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { CannedReply } from '#contract/chat/canned-replies.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { useReturnFocus } from '#web/ui/hooks/focus.ts';
import { ConfirmDialog, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import classes from './canned-replies.module.css';
import { useCannedReplies } from './canned-replies.ts';
import { ReplyForm } from './reply-form.tsx';

const width = 600;

export function RepliesDialog({ onClose }: { onClose: () => void }) {
	// Called here, because the form's dialog replaces the list's dialog and would not know the earlier focus.
	useReturnFocus();
	const replies = useCannedReplies();
	const [editing, setEditing] = useState<CannedReply | 'new' | null>(null);
	const [deleting, setDeleting] = useState<CannedReply | null>(null);
	const remove = useChange(client.cannedReplies.remove, {
		refetch: [api.cannedReplies.key()],
		isPendingUntilRefetched: true,
		onSuccess: () => toastSuccess(m.chat_replies_deleted()),
	});
	const rows = useRef<HTMLUListElement>(null);
	const addId = useId();
	const deletedRow = useRef<{ id: string; index: number } | null>(null);
	const items = replies.data?.items;
	// A deletion removes the focused button with its row. The next row's button, or the Add button, is focused instead.
	useEffect(() => {
		if (deletedRow.current === null || deleting !== null) return;
		const { id, index } = deletedRow.current;
		if (items?.some((reply) => reply.id === id) !== false) return;
		deletedRow.current = null;
		(findButtons(rows.current, 'delete')[index] ?? document.getElementById(addId))?.focus();
	}, [deleting, items, addId]);
	function confirmDelete({ id }: CannedReply): void {
		deletedRow.current = { id, index: items?.findIndex((reply) => reply.id === id) ?? 0 };
		remove.mutate({ id }, { onError: () => (deletedRow.current = null), onSettled: () => setDeleting(null) });
	}
	if (editing !== null) {
		return <ReplyForm reply={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />;
	}
	return (
		<>
			<Dialog
				onClose={onClose}
				title={m.chat_replies()}
				width={width}
				footer={
					<Button
						id={addId}
						variant="primary"
						icon={IconPlus}
						onClick={() => setEditing('new')}
						disabled={!replies.isSuccess}
					>
						{m.chat_replies_add()}
					</Button>
				}
			>
				{replies.isPending && <SkeletonLines label={m.chat_replies_loading()} count={3} height="48px" />}
				{replies.isError && <FailedQuery text={m.chat_replies_failed()} query={replies} />}
				{items?.length === 0 && <EmptyState text={m.chat_replies_empty()} />}
				{items !== undefined && items.length > 0 && (
					<ReplyRows ref={rows} items={items} onEdit={setEditing} onDelete={setDeleting} />
				)}
			</Dialog>
			{deleting !== null && (
				<ConfirmDialog
					onClose={() => setDeleting(null)}
					onConfirm={() => confirmDelete(deleting)}
					question={m.chat_replies_delete_question()}
					detail={m.chat_replies_delete_detail({ name: deleting.name })}
					confirmLabel={m.chat_replies_delete()}
					isBusy={remove.isPending}
				/>
			)}
		</>
	);
}

function findButtons(rows: HTMLElement | null, act: 'up' | 'down' | 'delete'): HTMLButtonElement[] {
	return [...(rows?.querySelectorAll<HTMLButtonElement>(`[data-act="${act}"]`) ?? [])];
}

interface ReplyRowsProps {
	ref: RefObject<HTMLUListElement | null>;
	items: readonly CannedReply[];
	onEdit: (reply: CannedReply) => void;
	onDelete: (reply: CannedReply) => void;
}

function ReplyRows({ ref, items, onEdit, onDelete }: ReplyRowsProps) {
	const sort = useChange(client.cannedReplies.sort, {
		refetch: [api.cannedReplies.key()],
		isPendingUntilRefetched: true,
	});
	const moved = useRef<{ id: string | undefined; by: 1 | -1 } | null>(null);
	// A moved row loses the focus. Focuses the pressed button again, or the opposite button at either end of the list.
	useLayoutEffect(() => {
		if (moved.current === null) return;
		const { id, by } = moved.current;
		if (!sort.isPending) moved.current = null;
		const index = items.findIndex((reply) => reply.id === id);
		const [up, down] = [findButtons(ref.current, 'up')[index], findButtons(ref.current, 'down')[index]];
		const [same, other] = by === 1 ? [down, up] : [up, down];
		(same?.disabled === true ? other : same)?.focus();
	}, [items, sort.isPending, ref]);
	function move(index: number, by: 1 | -1): void {
		// Presses are ignored while saving. The buttons are not disabled, because a disabled button would lose the focus.
		if (sort.isPending) return;
		moved.current = { id: items[index]?.id, by };
		const ids = items.map(({ id }) => id);
		ids.splice(index + by, 0, ...ids.splice(index, 1));
		sort.mutate({ ids });
	}
	return (
		<Box component="ul" ref={ref} my={-8}>
			{items.map((reply, index) => (
				<li key={reply.id} className={classes.row}>
					<Stack gap={2} flex={1} miw={0}>
						<span className={classes.name} dir="auto">
							{reply.name}
						</span>
						{reply.message !== '' && (
							<Text c="var(--ink-2)" fz="var(--text-13)" lineClamp={2} dir="auto">
								{reply.message}
							</Text>
						)}
						{reply.files.length > 0 && (
							<span className={classes.files}>
								<IconPaperclip {...smallIconProps} />
								{reply.files.map(({ name }) => name).join(', ')}
							</span>
						)}
					</Stack>
					<Group gap={2} justify="flex-end" wrap="nowrap">
						{[
							{ act: 'up', label: m.chat_replies_up_of, icon: IconArrowUp, onClick: () => move(index, -1) },
							{ act: 'down', label: m.chat_replies_down_of, icon: IconArrowDown, onClick: () => move(index, 1) },
							{ act: 'edit', label: m.chat_replies_edit_of, icon: IconPencil, onClick: () => onEdit(reply) },
							{ act: 'delete', label: m.chat_replies_delete_of, icon: IconTrash, onClick: () => onDelete(reply) },
						].map(({ act, label, ...button }) => (
							<IconButton
								key={act}
								size="small"
								label={label({ name: reply.name })}
								data-act={act}
								disabled={(act === 'up' && index === 0) || (act === 'down' && index === items.length - 1)}
								{...button}
							/>
						))}
					</Group>
				</li>
			))}
		</Box>
	);
}
