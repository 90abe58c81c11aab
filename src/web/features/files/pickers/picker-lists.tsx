import { Box } from '@mantine/core';
import { IconArrowUp, IconBook2, IconChevronRight, IconFolderOpen, IconHome } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, cursorPaging } from '#web/platform/api/client.ts';
import { useMe } from '#web/platform/session/session.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { folderPathOf } from '../file-list-query.ts';
import classes from './folder-picker.module.css';

export interface FolderTarget {
	owner: string;
	path: string;
}

function PickerRow({ icon, label, children, ...rest }: ComponentProps<'button'> & { icon: ReactNode; label: string }) {
	return (
		<li>
			<button type="button" className={classes.folder} {...rest}>
				{icon}
				<bdi className={classes.name}>{label}</bdi>
				{children}
			</button>
		</li>
	);
}

export function SpacePicker({ onChoose }: { onChoose: (owner: string) => void }) {
	const me = useMe();
	const [search, setSearch] = useState('');
	const input = { search: search.trim() || undefined, limit: 25 };
	const users = useQuery(api.people.list.queryOptions({ input, placeholderData: keepPreviousData }));
	const reserved = [
		{ owner: me.email, label: m.files_my_files(), Drawing: IconHome },
		{ owner: 'guest', label: m.files_space_guest(), Drawing: IconFolderOpen },
		{ owner: 'book', label: m.files_space_book(), Drawing: IconBook2 },
	];
	const otherUsers = users.data?.items.filter(({ email }) => email !== me.email) ?? [];
	return (
		<>
			<SearchField label={m.users_search()} value={search} onChange={setSearch} />
			<ul className={classes.list} aria-label={m.files_all_spaces()}>
				{search.trim() === '' &&
					reserved.map(({ owner, label, Drawing }) => (
						<PickerRow key={owner} icon={<Drawing {...iconProps} />} label={label} onClick={() => onChoose(owner)} />
					))}
				{otherUsers.map(({ id, email, name }) => (
					<PickerRow
						key={id}
						icon={<Avatar name={name} email={email} size={32} />}
						label={email}
						onClick={() => onChoose(email)}
					/>
				))}
				{users.data?.items.length === 0 && (
					<Box component="li" p="12px 8px" c="dimmed">
						{m.users_empty()}
					</Box>
				)}
			</ul>
			{users.isError && <FailedQuery text={m.users_failed()} query={users} />}
		</>
	);
}

export function useSubfolders({ owner, path }: FolderTarget) {
	return useInfiniteQuery(
		api.files.list.infiniteOptions({
			input: (cursor) => ({ owner, path, kind: 'folder', cursor, limit: 200 }),
			...cursorPaging,
		}),
	);
}

interface SubfolderListProps {
	target: FolderTarget;
	/** The nodes to move or copy; a folder cannot be moved or copied into itself. */
	disabledNodes: readonly Node[];
	onOpen: (path: string) => void;
	onUp: (() => void) | undefined;
}

/** Arrow keys move the focus. Enter opens a folder. Backspace opens the parent folder. */
export function SubfolderList({ target, disabledNodes, onOpen, onUp }: SubfolderListProps) {
	const query = useSubfolders(target);
	if (query.isPending) {
		return (
			<div className={classes.list}>
				<SkeletonLines label={m.files_loading()} count={3} height="40px" />
			</div>
		);
	}
	if (query.data === undefined) return <FailedQuery text={m.files_load_failed()} query={query} />;
	const folders = query.data.pages.flatMap((page) => page.items);
	const disabledIds = new Set(disabledNodes.map(({ id }) => id));
	return (
		<ul className={classes.list} onKeyDown={(event) => moveFocus(event, onUp)} aria-label={m.files_folders()}>
			{onUp !== undefined && (
				<PickerRow icon={<IconArrowUp {...smallIconProps} />} label={m.files_go_up()} onClick={onUp} />
			)}
			{folders.map((folder, index) => (
				<PickerRow
					key={folder.id}
					icon={<FolderIcon />}
					label={folder.name}
					disabled={disabledIds.has(folder.id)}
					data-autofocus={index === 0 || undefined}
					onClick={() => onOpen(folderPathOf(folder))}
				>
					<IconChevronRight {...smallIconProps} />
				</PickerRow>
			))}
			{folders.length === 0 && (
				<Box component="li" p="12px 8px" c="dimmed">
					{m.files_no_folders()}
				</Box>
			)}
			{query.hasNextPage && (
				<li>
					<Button
						variant="quiet"
						isFullWidth
						disabled={query.isFetchingNextPage}
						onClick={() => void query.fetchNextPage()}
					>
						{query.isFetchingNextPage ? m.files_loading_more() : m.files_more_folders()}
					</Button>
				</li>
			)}
		</ul>
	);
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>, onUp: (() => void) | undefined): void {
	if (event.key === 'Backspace' && onUp !== undefined) {
		event.preventDefault();
		onUp();
		return;
	}
	const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
	const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
	const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: buttons.length - 1 }[event.key];
	if (to === undefined) return;
	event.preventDefault();
	buttons[Math.min(Math.max(to, 0), buttons.length - 1)]?.focus();
}
