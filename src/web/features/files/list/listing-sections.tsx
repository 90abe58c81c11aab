import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/formats/format.ts';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import type { NodeCounts } from '../list-state/node-counts.ts';
import classes from './folder-listing.module.css';

interface HeadingProps {
	counts: NodeCounts;
	/** Totals of the whole folder from the server; undefined where only the loaded nodes are known. */
	totals: { folders: number; files: number; size: number } | undefined;
}

/** Heading of the folders, with their number. */
export function FoldersHeading({ counts, totals }: HeadingProps) {
	const { folders, loadedFolders, isExact } = counts;
	const count = totals?.folders ?? folders;
	return (
		<SectionHeading
			label={m.files_folders()}
			note={isExact ? formatCount(count) : m.files_at_least({ count: formatCount(loadedFolders) })}
		/>
	);
}

/** Heading of the files, with their number and size. */
export function FilesHeading({ counts, totals }: HeadingProps) {
	return <SectionHeading label={m.files_files()} note={filesNote(counts, totals)} />;
}

function filesNote({ files, loadedFiles, isExact }: NodeCounts, totals: HeadingProps['totals']): string {
	if (totals !== undefined)
		return m.files_count_and_size({ count: formatCount(totals.files), size: formatSize(totals.size) });
	return isExact ? formatCount(files) : m.files_at_least({ count: formatCount(loadedFiles) });
}

function SectionHeading({ label, note }: { label: string; note: string }) {
	return (
		<h2 className={classes.heading}>
			{label} <span className={classes.note}>{note}</span>
		</h2>
	);
}

const cards = ['a', 'b', 'c', 'd'];
const rows = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Placeholder for a folder that is loading. */
export function ListingSkeleton() {
	return (
		<div className={classes.skeleton}>
			<p className={classes.hidden} role="status">
				{m.files_loading()}
			</p>
			<div className={classes.cards}>
				{cards.map((key) => (
					<Skeleton key={key} height="60px" />
				))}
			</div>
			{rows.map((key) => (
				<Skeleton key={key} height="36px" />
			))}
		</div>
	);
}
