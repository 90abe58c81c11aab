import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { type FileFilter, fileFilters } from '#contract/files/file-types.ts';
import { m } from '#messages';
import { useMe } from '#web/platform/session/session.ts';
import { ChipFilter } from '#web/ui/forms/chip-filter.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { defaultListQuery, type FileListQuery, type FileView } from '../file-list-query.ts';
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
	listQuery: FileListQuery;
	onChange: (change: Partial<FileListQuery>) => void;
}

/** Search, type filter, order and view of a folder. */
export function FileToolbar({ listQuery, onChange }: FileToolbarProps) {
	const isPhone = useIsPhone();
	const choices = fileFilters.map((value) => ({ value, label: labels[value]() }));
	const search = useCallback((q: string) => onChange({ q }), [onChange]);
	const filter = useCallback((type: FileFilter) => onChange({ type }), [onChange]);
	const hasHeader = listQuery.view === 'list' && !isPhone;
	return (
		<div className={classes.toolbar}>
			<SearchField label={m.files_search()} value={listQuery.q} onChange={search} />
			<ChipFilter label={m.files_filter()} choices={choices} value={listQuery.type} onChange={filter} />
			<div className={classes.viewControls}>
				{!hasHeader && listQuery.q.trim() === '' && <SortField listQuery={listQuery} onChange={onChange} />}
				<SegmentedSwitch<FileView>
					label={m.files_view()}
					value={listQuery.view}
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

/** The view (list or grid) that the user chose last in this browser, for URLs without a view. */
export function useRememberedView(): [FileView, (view: FileView) => void] {
	const key = `folio.view.${useMe().id}`;
	const [view, setView] = useState(() => readStoredView(key));
	const store = useCallback(
		(next: FileView) => {
			setView(next);
			try {
				window.localStorage.setItem(key, next);
			} catch {
				// Without browser storage, the choice is not remembered.
			}
		},
		[key],
	);
	return [view, store];
}

function readStoredView(key: string): FileView {
	try {
		return window.localStorage.getItem(key) === 'grid' ? 'grid' : defaultListQuery.view;
	} catch {
		return defaultListQuery.view;
	}
}
