import { IconChevronLeft, IconTrashX } from '@tabler/icons-react';
import { useState } from 'react';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { formatCount } from '#web/platform/format.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { DeniedState, EmptyState, FailedQuery } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Pager, rangeOf } from '#web/ui/pager.tsx';
import { SkeletonLines } from '#web/ui/skeleton.tsx';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import { useKeysetPages } from '#web/ui/use-keyset-pages.ts';
import { NodeNames } from './delete-dialog.tsx';
import boxClasses from './entry-box.module.css';
import { type Crumb, FileBreadcrumb } from './file-breadcrumb.tsx';
import { spaceName } from './space-name.ts';
import { type TrashQuestion, trashPageSize, useEmptyTrash, usePurge, useRestore, useTrash } from './trash.api.ts';
import { TrashBar } from './trash-bar.tsx';
import { TrashRow } from './trash-row.tsx';
import classes from './trash-view.module.css';
import { useLast } from './use-last.ts';

/** A space's trash: what was deleted, until its day comes. Mount anew (`key`) for another space. */
export function TrashView({ owner }: { owner: string }) {
	const isPhone = useIsPhone();
	const pages = useKeysetPages();
	const trash = useTrash(owner, pages.cursor);
	const [question, setQuestion] = useState<TrashQuestion | null>(null);
	const root = `/user/${encodeURIComponent(owner)}`;
	const name = spaceName(owner, trash.data?.space.email);
	const crumbs: Crumb[] = [
		{ key: 'space', name, to: root, search: {} },
		{ key: 'trash', name: m.files_trash(), to: root, search: { trash: '' } },
	];
	const way = isPhone
		? {
				back: (
					<ButtonLink
						variant="quiet"
						to={root}
						search={{}}
						aria-label={m.files_trash_back()}
						icon={<IconChevronLeft {...iconProps} />}
					/>
				),
			}
		: { breadcrumb: <FileBreadcrumb crumbs={crumbs} /> };
	const total = trash.data?.total ?? 0;
	return (
		<>
			<PageHeader
				title={isPhone ? m.files_trash() : m.files_trash_of({ name })}
				actions={
					total > 0 && (
						<Button icon={<IconTrashX {...iconProps} />} onClick={() => setQuestion({ kind: 'empty', total })}>
							{m.files_empty_trash()}
						</Button>
					)
				}
				{...way}
			/>
			<div className={classes.body}>
				<TrashPage trash={trash} pages={pages} onPurge={(nodes) => setQuestion({ kind: 'purge', nodes })} />
			</div>
			<TrashDialog owner={owner} question={question} onClose={() => setQuestion(null)} />
		</>
	);
}

interface TrashPageProps {
	trash: ReturnType<typeof useTrash>;
	pages: ReturnType<typeof useKeysetPages>;
	onPurge: (nodes: readonly TrashedNode[]) => void;
}

function TrashPage({ trash, pages, onPurge }: TrashPageProps) {
	const restore = useRestore();
	const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set());
	if (trash.isPending) return <SkeletonLines label={m.files_trash_loading()} count={8} height="40px" />;
	if (trash.isError) {
		if (describeFailure(trash.error).status === 404)
			return <DeniedState title={m.files_denied_title()} text={m.files_denied_text()} />;
		return <FailedQuery text={m.files_trash_failed()} query={trash} />;
	}
	const { items, total, nextCursor } = trash.data;
	if (items.length === 0 && pages.passed === 0) return <EmptyState text={m.files_trash_empty()} />;
	// What has left the page is chosen no longer.
	const chosen = items.filter(({ id }) => chosenIds.has(id));
	const choose = (ids: readonly string[], isChosen: boolean) => {
		const next = new Set(chosen.map(({ id }) => id));
		for (const id of ids) {
			if (isChosen) next.add(id);
			else next.delete(id);
		}
		setChosenIds(next);
	};
	const before = pages.passed * trashPageSize;
	return (
		<>
			<p className={classes.note}>{m.files_trash_note()}</p>
			<div className={classes.heads}>
				<label className={classes.all}>
					<input
						type="checkbox"
						className={boxClasses.box}
						checked={chosen.length === items.length && items.length > 0}
						onChange={({ currentTarget }) =>
							choose(
								items.map(({ id }) => id),
								currentTarget.checked,
							)
						}
					/>
					<span>{m.files_select_all()}</span>
				</label>
				<span>{m.files_trash_was_in()}</span>
				<span className={classes.end}>{m.files_size()}</span>
				<span>{m.files_trash_deleted()}</span>
				<span>{m.files_trash_goes()}</span>
				<span />
			</div>
			<ul className={classes.rows} aria-busy={trash.isPlaceholderData}>
				{items.map((node) => (
					<TrashRow
						key={node.id}
						node={node}
						isBusy={restore.isPending}
						isChosen={chosenIds.has(node.id)}
						onChoose={(isChosen) => choose([node.id], isChosen)}
						onRestore={() => restore.mutate([node.id])}
						onPurge={() => onPurge([node])}
					/>
				))}
			</ul>
			<TrashBar
				chosen={chosen}
				isBusy={restore.isPending}
				onRestore={() => restore.mutate(chosen.map(({ id }) => id))}
				onPurge={() => onPurge(chosen)}
				onClear={() => setChosenIds(new Set())}
			/>
			{(pages.onPrevious !== undefined || nextCursor !== null) && (
				<Pager
					label={m.files_trash_pages()}
					range={rangeOf(before, items.length, total)}
					onPrevious={pages.onPrevious}
					onNext={pages.onNext(nextCursor, trash.isPlaceholderData)}
				/>
			)}
		</>
	);
}

interface TrashDialogProps {
	owner: string;
	question: TrashQuestion | null;
	onClose: () => void;
}

function TrashDialog({ owner, question, onClose }: TrashDialogProps) {
	const purge = usePurge();
	const empty = useEmptyTrash();
	const shown = useLast(question);
	const isEmptying = shown?.kind === 'empty';
	return (
		<ConfirmDialog
			isOpen={question !== null}
			onClose={onClose}
			onConfirm={() => {
				if (question?.kind === 'empty') empty.mutate({ owner }, { onSettled: onClose });
				else if (question !== null)
					purge.mutate(
						question.nodes.map(({ id }) => id),
						{ onSettled: onClose },
					);
			}}
			question={questionOf(shown)}
			detail={
				<>
					{shown?.kind === 'purge' && <NodeNames nodes={shown.nodes} />}
					<p>{m.files_purge_note()}</p>
				</>
			}
			confirmLabel={isEmptying ? m.files_empty_trash() : m.files_purge()}
			isBusy={purge.isPending || empty.isPending}
		/>
	);
}

function questionOf(question: TrashQuestion | null | undefined): string {
	const count = question?.kind === 'empty' ? question.total : (question?.nodes.length ?? 1);
	if (count > 1) return m.files_empty_trash_question({ count: formatCount(count) });
	return question?.kind === 'empty' ? m.files_empty_trash_question_one() : m.files_purge_question();
}
