import { Box, Group, Stack } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { useNodeName } from '../actions/folder-name-dialog.tsx';
import { folderPathOf } from '../file-list-query.ts';
import { type Crumb, FileBreadcrumb, folderCrumbs, spaceName } from '../manager/file-breadcrumb.tsx';
import { type FolderTarget, SpacePicker, SubfolderList, useSubfolders } from './picker-lists.tsx';

interface FolderPickerProps {
	/** Nodes can be moved only within their space, but copied into any space. */
	purpose: 'move' | 'copy';
	nodes: readonly Node[];
	start: FolderTarget;
	isBusy: boolean;
	onChoose: (target: FolderTarget) => void;
	onClose: () => void;
}

export function FolderPicker({ purpose, nodes, start, isBusy, onChoose, onClose }: FolderPickerProps) {
	const [target, setTarget] = useState<FolderTarget | null>(start);
	const [isCreating, setCreating] = useState(false);
	const go = (to: FolderTarget | null) => {
		setCreating(false);
		setTarget(to);
	};
	const isMove = purpose === 'move';
	const isSame = isMove && target !== null && nodes.every((node) => node.path === target.path);
	return (
		<Dialog
			onClose={onClose}
			title={isMove ? m.files_move_title() : m.files_copy_title()}
			width={520}
			footer={
				<>
					{target !== null && (
						<Button
							variant="quiet"
							style={{ marginRight: 'auto' }}
							icon={IconFolderPlus}
							aria-expanded={isCreating}
							onClick={() => setCreating(!isCreating)}
						>
							{m.files_new_folder()}
						</Button>
					)}
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button
						variant="primary"
						// Disabled while the user creates a new folder, which will be the target.
						disabled={target === null || isCreating || isSame || isBusy}
						onClick={() => target !== null && onChoose(target)}
					>
						{isMove ? m.files_move_here() : m.files_copy_here()}
					</Button>
				</>
			}
		>
			<Stack gap={12} style={{ minHeight: 'min(380px, 60dvh)' }}>
				<Box component="p" className={textClasses.cut} c="var(--ink-2)">
					{nodes.length === 1 ? nodes[0]?.name : m.files_items({ count: String(nodes.length) })}
				</Box>
				{target === null ? (
					<SpacePicker onChoose={(owner) => go({ owner, path: '' })} />
				) : (
					<>
						<PickerBreadcrumb target={target} hasSpaces={!isMove} onGo={go} />
						{isCreating && (
							<NewFolderForm
								target={target}
								onDone={(folder) => go(folder === null ? target : { ...target, path: folder })}
							/>
						)}
						<SubfolderList
							key={`${target.owner}\n${target.path}`}
							target={target}
							disabledNodes={nodes}
							onOpen={(path) => go({ ...target, path })}
							onUp={target.path === '' ? (isMove ? undefined : () => go(null)) : () => go(parentOf(target))}
						/>
					</>
				)}
			</Stack>
		</Dialog>
	);
}

interface PickerBreadcrumbProps {
	target: FolderTarget;
	hasSpaces: boolean;
	onGo: (target: FolderTarget | null) => void;
}

function PickerBreadcrumb({ target, hasSpaces, onGo }: PickerBreadcrumbProps) {
	const { data, error } = useSubfolders(target);
	const first = data?.pages[0];
	const openerOf = (path: string) => ({ onOpen: () => onGo({ ...target, path }) });
	const crumbs: Crumb[] = [
		...(hasSpaces ? [{ key: 'spaces', name: m.files_all_spaces(), onOpen: () => onGo(null) }] : []),
		{ key: '', name: spaceName(target.owner, first?.space.email), ...openerOf('') },
		...folderCrumbs(target.path, first?.breadcrumb, openerOf),
	];
	return (
		<>
			<FileBreadcrumb label={m.files_target()} crumbs={crumbs} />
			{error !== null && (
				<Box component="p" c="var(--negative)">
					{describeFailure(error).message}
				</Box>
			)}
		</>
	);
}

interface NewFolderFormProps {
	target: FolderTarget;
	/** Called with the path of the new folder, or with null when creating is cancelled. */
	onDone: (path: string | null) => void;
}

function NewFolderForm({ target, onDone }: NewFolderFormProps) {
	const { fieldProps, isBusy, submit } = useNodeName(target, (folder) => onDone(folderPathOf(folder)));
	return (
		<Group gap={8} align={fieldProps.error === undefined ? 'flex-end' : 'center'} wrap="nowrap">
			<TextField
				label={m.files_folder_name()}
				autoFocus
				flex={1}
				onKeyDown={(event) => {
					if (event.key === 'Enter') submit();
					else if (event.key === 'Escape') {
						event.stopPropagation();
						onDone(null);
					}
				}}
				{...fieldProps}
			/>
			<Button disabled={isBusy} onClick={submit}>
				{isBusy ? m.files_creating() : m.files_create()}
			</Button>
		</Group>
	);
}

function parentOf({ owner, path }: FolderTarget): FolderTarget {
	return { owner, path: path.split('/').slice(0, -1).join('/') };
}
