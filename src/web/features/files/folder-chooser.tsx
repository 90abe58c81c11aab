import { IconFolderPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { ChooserFolders } from './chooser-folders.tsx';
import { ChooserName } from './chooser-name.tsx';
import { ChooserSpaces } from './chooser-spaces.tsx';
import { pathsTo } from './file-place.ts';
import { useChosenFolder } from './folder-chooser.api.ts';
import classes from './folder-chooser.module.css';
import { spaceName } from './space-name.ts';

export interface Target {
	owner: string;
	path: string;
}

interface FolderChooserProps {
	/** Entries move within their space; copies go into any. */
	purpose: 'move' | 'copy';
	nodes: readonly Node[];
	/** Where one begins: the folder shown. */
	start: Target;
	isBusy: boolean;
	onChoose: (target: Target) => void;
	onClose: () => void;
}

/** Chooses the folder that entries go into. Mount it to open it. */
export function FolderChooser({ purpose, nodes, start, isBusy, onChoose, onClose }: FolderChooserProps) {
	const [target, setTarget] = useState<Target | null>(start);
	const [isNaming, setNaming] = useState(false);
	const go = (to: Target | null) => {
		setNaming(false);
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
			foot={
				<>
					{target !== null && (
						<Button
							variant="quiet"
							className={classes.create}
							icon={<IconFolderPlus {...iconProps} />}
							aria-expanded={isNaming}
							onClick={() => setNaming(!isNaming)}
						>
							{m.files_new_folder()}
						</Button>
					)}
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button
						variant="primary"
						// While a folder is being named or made, nobody means the one around it.
						disabled={target === null || isNaming || isSame || isBusy}
						onClick={() => target !== null && onChoose(target)}
					>
						{isMove ? m.files_move_here() : m.files_copy_here()}
					</Button>
				</>
			}
		>
			<div className={classes.frame}>
				<p className={classes.what}>{whatOf(nodes)}</p>
				{target === null ? (
					<ChooserSpaces onChoose={(owner) => go({ owner, path: '' })} />
				) : (
					<>
						<Way target={target} hasSpaces={!isMove} onGo={go} />
						{isNaming && (
							<ChooserName
								target={target}
								onDone={(folder) => go(folder === null ? target : { ...target, path: folder })}
							/>
						)}
						<ChooserFolders
							key={`${target.owner}\n${target.path}`}
							target={target}
							without={nodes}
							onOpen={(path) => go({ ...target, path })}
							onUp={target.path === '' ? (isMove ? undefined : () => go(null)) : () => go(above(target))}
						/>
					</>
				)}
			</div>
		</Dialog>
	);
}

interface WayProps {
	target: Target;
	hasSpaces: boolean;
	onGo: (target: Target | null) => void;
}

function Way({ target, hasSpaces, onGo }: WayProps) {
	const { first, error } = useChosenFolder(target);
	const paths = pathsTo(target.path);
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
			<nav aria-label={m.files_target()} className={classes.way}>
				{hasSpaces && (
					<button type="button" className={classes.step} onClick={() => onGo(null)}>
						{m.files_all_spaces()}
					</button>
				)}
				{steps.map(({ key, name, to }, index) =>
					index === steps.length - 1 ? (
						<span key={key} aria-current="location" className={classes.here}>
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

function whatOf(nodes: readonly Node[]): string {
	return nodes.length === 1 ? (nodes[0]?.name ?? '') : m.files_items({ count: String(nodes.length) });
}

function above({ owner, path }: Target): Target {
	return { owner, path: path.split('/').slice(0, -1).join('/') };
}
