import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import { useCallback } from 'react';
import { type FileFilter, fileFilters } from '#contract/files/file-types.ts';
import { m } from '#messages';
import { ChipFilter } from '#web/ui/chip-filter.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { SegmentedSwitch } from '#web/ui/segmented-switch.tsx';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import type { FilePlace, FileView } from './file-place.ts';
import classes from './file-toolbar.module.css';
import { SortField } from './sort-field.tsx';

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
	place: FilePlace;
	onChange: (change: Partial<FilePlace>) => void;
}

/** Search, type filter, order and view of a folder. */
export function FileToolbar({ place, onChange }: FileToolbarProps) {
	const isPhone = useIsPhone();
	const choices = fileFilters.map((value) => ({ value, label: labels[value]() }));
	const search = useCallback((q: string) => onChange({ q }), [onChange]);
	const filter = useCallback((type: FileFilter) => onChange({ type }), [onChange]);
	const hasHeads = place.view === 'list' && !isPhone;
	return (
		<div className={classes.toolbar}>
			<SearchField label={m.files_search()} value={place.q} onChange={search} />
			<ChipFilter label={m.files_filter()} choices={choices} value={place.type} onChange={filter} />
			<div className={classes.looks}>
				{!hasHeads && place.q.trim() === '' && <SortField place={place} onChange={onChange} />}
				<SegmentedSwitch<FileView>
					label={m.files_view()}
					value={place.view}
					onChange={(view) => onChange({ view })}
					segments={[
						{ value: 'list', label: m.files_view_list(), icon: <IconList {...iconProps} /> },
						{ value: 'grid', label: m.files_view_grid(), icon: <IconLayoutGrid {...iconProps} /> },
					]}
				/>
			</div>
		</div>
	);
}
