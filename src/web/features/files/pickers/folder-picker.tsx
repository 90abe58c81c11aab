import { IconFolderPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { ancestorPathsOf } from '../file-list-query.ts';
import { spaceName } from '../manager/file-breadcrumb.tsx';
import classes from './folder-picker.module.css';
import { useSubfolders } from './folder-picker-api.ts';
import { NewFolderForm } from './new-folder-form.tsx';
import { SpacePicker } from './space-picker.tsx';
import { SubfolderList } from './subfolder-list.tsx';

export interface FolderTarget {
	owner: string;
	path: string;
}

interface FolderPickerProps {
	/** Nodes can move only within their space, but can be copied into any. */
	purpose: 'move' | 'copy';
	nodes: readonly Node[];
	/** The folder that is opened first. */
	start: FolderTarget;
	isBusy: boolean;
	onChoose: (target: FolderTarget) => void;
	onClose: () => void;
}

/** Chooses the folder to move or copy nodes into. Mount it to open it. */
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
			isOpen
			onClose={onClose}
			title={isMove ? m.files_move_title() : m.files_copy_title()}
			width={520}
			footer={
				<>
					{target !== null && (
						<Button
							variant="quiet"
							className={classes.create}
							icon={<IconFolderPlus {...iconProps} />}
							aria-expanded={isCreating}
							onClick={() => setCreating(!isCreating)}
						>
							{m.files_new_folder()}
						</Button>
					)}
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button
						variant="primary"
						// While a folder is being named or created, the folder around it is not a target.
						disabled={target === null || isCreating || isSame || isBusy}
						onClick={() => target !== null && onChoose(target)}
					>
						{isMove ? m.files_move_here() : m.files_copy_here()}
					</Button>
				</>
			}
		>
			<div className={classes.frame}>
				<p className={classes.summary}>{describeNodes(nodes)}</p>
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
			</div>
		</Dialog>
	);
}

interface PickerBreadcrumbProps {
	target: FolderTarget;
	hasSpaces: boolean;
	onGo: (target: FolderTarget | null) => void;
}

function PickerBreadcrumb({ target, hasSpaces, onGo }: PickerBreadcrumbProps) {
	const { first, error } = useSubfolders(target);
	const paths = ancestorPathsOf(target.path);
	const steps = [
		{ key: '', name: spaceName(target.owner, first?.space.email), to: { ...target, path: '' } },
		...paths.map((path, index) => ({
			key: path,
			name: first?.breadcrumb[index]?.name ?? '…',
			to: { ...target, path },
		})),
	];
	return (
		<>
			<nav aria-label={m.files_target()} className={classes.breadcrumb}>
				{hasSpaces && (
					<button type="button" className={classes.step} onClick={() => onGo(null)}>
						{m.files_all_spaces()}
					</button>
				)}
				{steps.map(({ key, name, to }, index) =>
					index === steps.length - 1 ? (
						<span key={key} aria-current="location" className={classes.current}>
							<bdi>{name}</bdi>
						</span>
					) : (
						<button key={key} type="button" className={classes.step} onClick={() => onGo(to)}>
							<bdi>{name}</bdi>
						</button>
					),
				)}
			</nav>
			{error !== null && <p className={classes.error}>{describeFailure(error).message}</p>}
		</>
	);
}

function describeNodes(nodes: readonly Node[]): string {
	return nodes.length === 1 ? (nodes[0]?.name ?? '') : m.files_items({ count: String(nodes.length) });
}

function parentOf({ owner, path }: FolderTarget): FolderTarget {
	return { owner, path: path.split('/').slice(0, -1).join('/') };
}
