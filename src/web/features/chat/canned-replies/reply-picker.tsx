import { Box, Group, Stack } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { IconPaperclip, IconPencil, IconQrcode, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { CannedReplyFile } from '#contract/chat/canned-replies.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api/client.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import classes from './canned-replies.module.css';
import { findReplies, useCannedReplies } from './canned-replies.ts';

export interface ChosenReply {
	message: string;
	files: ReadonlyArray<Pick<CannedReplyFile, 'id' | 'name'>>;
}

interface ReplyPickerProps {
	onChoose: (reply: ChosenReply) => void;
	onManage: () => void;
	/** Called when the user closes the list without a choice. */
	onClose: () => void;
}

/** Lists canned replies above the text field. Arrow keys and Enter choose a reply. Opens on mount. */
export function ReplyPicker({ onChoose, onManage, onClose }: ReplyPickerProps) {
	const replies = useCannedReplies();
	const [search, setSearch] = useState('');
	const [activeIndex, setActiveIndex] = useState(0);
	const listId = useId();
	const field = useRef<HTMLInputElement>(null);
	const box = useClickOutside<HTMLDivElement>(onClose);
	const choices = replies.data === undefined ? [] : listChoices(replies.data, search);
	const active = choices[Math.min(activeIndex, choices.length - 1)];
	const idOf = (key: string) => `${listId}-${key}`;

	useEffect(() => field.current?.focus(), []);
	const activeId = active && idOf(active.key);
	useEffect(() => {
		if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
	}, [activeId]);

	function onKeyDown(event: KeyboardEvent): void {
		if (event.nativeEvent.isComposing) return;
		const { length } = choices;
		const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
		const step = steps[event.key];
		if (step !== undefined && length > 0) setActiveIndex((Math.min(activeIndex, length - 1) + step + length) % length);
		else if (event.key === 'Enter' && event.target === field.current) {
			if (active !== undefined) onChoose(active);
		} else if (event.key === 'Escape') onClose();
		else return;
		event.preventDefault();
		event.stopPropagation();
	}

	return (
		<Stack
			ref={box}
			gap={0}
			className={classes.picker}
			role="dialog"
			aria-label={m.chat_replies()}
			onKeyDown={onKeyDown}
		>
			<Group gap={8} wrap="nowrap" p="8px 8px 8px 14px" className={classes.search}>
				<IconSearch {...iconProps} />
				<input
					ref={field}
					type="text"
					role="combobox"
					aria-label={m.chat_replies_search()}
					placeholder={m.chat_replies_search()}
					aria-expanded="true"
					aria-controls={listId}
					aria-autocomplete="list"
					aria-activedescendant={activeId}
					autoComplete="off"
					maxLength={limits.searchMaxLength}
					value={search}
					onChange={({ currentTarget }) => {
						setSearch(currentTarget.value);
						setActiveIndex(0);
					}}
				/>
				<Button size="small" variant="quiet" icon={IconPencil} onClick={onManage}>
					{m.chat_replies_manage()}
				</Button>
			</Group>
			{replies.isPending && <SkeletonLines label={m.chat_replies_loading()} count={3} height="44px" />}
			{replies.isError && <FailedQuery text={m.chat_replies_failed()} query={replies} />}
			<div id={listId} role="listbox" aria-label={m.chat_replies()} className={classes.list}>
				{choices.map((choice) => (
					// biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field keeps the focus and handles the keys.
					<div
						key={choice.key}
						id={idOf(choice.key)}
						role="option"
						aria-selected={choice === active}
						className={classes.choice}
						onClick={() => onChoose(choice)}
						onMouseMove={() => setActiveIndex(choices.indexOf(choice))}
					>
						{choice.isQr && <IconQrcode {...iconProps} />}
						<Stack gap={0} flex={1} miw={0}>
							<span className={classes.name} dir="auto">
								{choice.name}
							</span>
							{choice.excerpt !== '' && (
								<span className={classes.excerpt} dir="auto">
									{choice.excerpt}
								</span>
							)}
						</Stack>
						{choice.files.length > 0 && !choice.isQr && (
							<span className={classes.files}>
								<IconPaperclip {...smallIconProps} />
								{m.chat_replies_files({ count: choice.files.length })}
							</span>
						)}
					</div>
				))}
			</div>
			{replies.isSuccess && choices.length === 0 && (
				<Box component="p" p={18} c="dimmed" ta="center" role="status">
					{search.trim() === '' ? m.chat_replies_empty() : m.chat_replies_none()}
				</Box>
			)}
		</Stack>
	);
}

function listChoices({ items, qr }: CallOutputs['cannedReplies']['list'], search: string) {
	const qrReply = qr === null ? [] : [{ id: qr.id, name: m.chat_replies_qr(), message: '', files: [qr] }];
	return findReplies([...items, ...qrReply], search).map(({ id, name, message, files }) => {
		const isQr = id === qr?.id;
		const excerpt = isQr ? m.chat_replies_qr_hint() : message.replace(/\s+/gu, ' ');
		return { key: id, name, message, files, isQr, excerpt };
	});
}
