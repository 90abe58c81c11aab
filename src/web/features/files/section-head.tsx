import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/format.ts';
import type { EntryCounts } from './entry-counts.ts';
import classes from './folder-listing.module.css';

interface HeadProps {
	counts: EntryCounts;
	/** The server's, of the whole folder; undefined where only what is loaded is known. */
	totals: { folders: number; files: number; size: number } | undefined;
}

/** Heads the folders, with their number. */
export function FoldersHead({ counts, totals }: HeadProps) {
	const { folders, loadedFolders, isExact } = counts;
	const count = totals?.folders ?? folders;
	return (
		<Head
			label={m.files_folders()}
			note={isExact ? formatCount(count) : m.files_at_least({ count: formatCount(loadedFolders) })}
		/>
	);
}

/** Heads the files, with their number and size. */
export function FilesHead({ counts, totals }: HeadProps) {
	return <Head label={m.files_files()} note={filesNote(counts, totals)} />;
}

function filesNote({ files, loadedFiles, isExact }: EntryCounts, totals: HeadProps['totals']): string {
	if (totals !== undefined)
		return m.files_count_and_size({ count: formatCount(totals.files), size: formatSize(totals.size) });
	return isExact ? formatCount(files) : m.files_at_least({ count: formatCount(loadedFiles) });
}

function Head({ label, note }: { label: string; note: string }) {
	return (
		<h2 className={classes.head}>
			{label} <span className={classes.note}>{note}</span>
		</h2>
	);
}
