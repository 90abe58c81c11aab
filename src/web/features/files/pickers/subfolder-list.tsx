import { IconArrowUp, IconChevronRight } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedState } from '#web/ui/states/states.tsx';
import { folderPathOf } from '../file-list-query.ts';
import classes from './folder-picker.module.css';
import { useSubfolders } from './folder-picker-api.ts';

interface SubfolderListProps {
	target: { owner: string; path: string };
	/** The nodes to move or copy; a folder cannot go into itself. */
	disabledNodes: readonly Node[];
	onOpen: (path: string) => void;
	/** Undefined at the top. */
	onUp: (() => void) | undefined;
}

/** The subfolders of a folder. Arrows move, Enter opens, Backspace goes up. */
export function SubfolderList({ target, disabledNodes, onOpen, onUp }: SubfolderListProps) {
	const list = useSubfolders(target);
	if (list.isPending) {
		return (
			<div className={classes.list} role="status" aria-label={m.files_loading()}>
				<Skeleton height="40px" />
				<Skeleton height="40px" />
				<Skeleton height="40px" />
			</div>
		);
	}
	if (list.first === undefined) {
		return (
			<FailedState
				text={m.files_load_failed()}
				detail={list.error === null ? undefined : describeFailure(list.error).message}
				onRetry={list.retry}
			/>
		);
	}
	const ids = new Set(disabledNodes.map(({ id }) => id));
	return (
		<ul className={classes.list} onKeyDown={(event) => moveFocus(event, onUp)} aria-label={m.files_folders()}>
			{onUp !== undefined && (
				<li>
					<button type="button" className={classes.folder} onClick={onUp}>
						<IconArrowUp {...smallIconProps} />
						<span className={classes.name}>{m.files_go_up()}</span>
					</button>
				</li>
			)}
			{list.folders.map((folder, index) => (
				<li key={folder.id}>
					<button
						type="button"
						className={classes.folder}
						disabled={ids.has(folder.id)}
						data-autofocus={index === 0 || undefined}
						onClick={() => onOpen(folderPathOf(folder))}
					>
						<FolderIcon />
						<bdi className={classes.name}>{folder.name}</bdi>
						<IconChevronRight {...smallIconProps} />
					</button>
				</li>
			))}
			{list.folders.length === 0 && <li className={classes.none}>{m.files_no_folders()}</li>}
			{list.hasMore && (
				<li>
					<Button variant="quiet" isFullWidth disabled={list.isLoadingMore} onClick={list.loadMore}>
						{list.isLoadingMore ? m.files_loading_more() : m.files_more_folders()}
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
