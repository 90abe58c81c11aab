import { useCallback, useMemo } from 'react';
import { type FileFilter, fileFilters } from '#contract/files/file-types.ts';
import { m } from '#messages';
import { ChipFilter } from '#web/ui/chip-filter.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import type { FilePlace } from './file-place.ts';
import classes from './file-toolbar.module.css';

const labels: Record<FileFilter, () => string> = {
	all: m.files_filter_all,
	pdf: m.files_filter_pdf,
	images: m.files_filter_images,
	videos: m.files_filter_videos,
	audio: m.files_filter_audio,
	documents: m.files_filter_documents,
	compressed: m.files_filter_compressed,
};

interface FileToolbarProps {
	place: Pick<FilePlace, 'q' | 'type'>;
	onChange: (change: Partial<Pick<FilePlace, 'q' | 'type'>>) => void;
}

/** Search and type filter over a folder. */
export function FileToolbar({ place, onChange }: FileToolbarProps) {
	const choices = useMemo(() => fileFilters.map((value) => ({ value, label: labels[value]() })), []);
	const search = useCallback((q: string) => onChange({ q }), [onChange]);
	const filter = useCallback((type: FileFilter) => onChange({ type }), [onChange]);
	return (
		<div className={classes.toolbar}>
			<SearchField label={m.files_search()} value={place.q} onChange={search} />
			<ChipFilter label={m.files_filter()} choices={choices} value={place.type} onChange={filter} />
		</div>
	);
}
