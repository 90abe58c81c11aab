import { useLocalStorage } from '@mantine/hooks';
import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import { type FileFilter, fileFilters } from '#contract/files/file-types.ts';
import { m } from '#messages';
import { useMe } from '#web/platform/session/session.ts';
import { ChipFilter } from '#web/ui/forms/chip-filter.tsx';
import { SelectField } from '#web/ui/forms/field.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { defaultListQuery, type FileListQuery, type FileView, type Order, type SortKey } from '../file-list-query.ts';
import classes from './file-manager.module.css';

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

export function FileToolbar({ listQuery, onChange }: FileToolbarProps) {
	const isPhone = useIsPhone();
	const choices = fileFilters.map((value) => ({ value, label: labels[value]() }));
	const hasHeader = listQuery.view === 'list' && !isPhone;
	return (
		<div className={classes.toolbar}>
			<SearchField label={m.files_search()} value={listQuery.q} onChange={(q) => onChange({ q })} />
			<ChipFilter
				label={m.files_filter()}
				choices={choices}
				value={listQuery.type}
				onChange={(type) => onChange({ type })}
			/>
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

/** Sets the order in the grid and on phones, which have no column headers. */
function SortField({ listQuery, onChange }: FileToolbarProps) {
	const choices = [
		{ value: 'name asc', label: m.files_sort_name_asc() },
		{ value: 'name desc', label: m.files_sort_name_desc() },
		{ value: 'date desc', label: m.files_sort_date_desc() },
		{ value: 'date asc', label: m.files_sort_date_asc() },
		{ value: 'size desc', label: m.files_sort_size_desc() },
		{ value: 'size asc', label: m.files_sort_size_asc() },
	];
	return (
		<SelectField
			aria-label={m.files_sort()}
			data={choices}
			value={`${listQuery.sort} ${listQuery.order}`}
			onChange={({ currentTarget }) => {
				const [sort, order] = currentTarget.value.split(' ') as [SortKey, Order];
				onChange({ sort, order });
			}}
		/>
	);
}

/** The last chosen view (list or grid), stored in this browser. Used for URLs without a view. */
export function useRememberedView() {
	return useLocalStorage<FileView>({
		key: `folio.view.${useMe().id}`,
		defaultValue: defaultListQuery.view,
		getInitialValueInEffect: false,
		sync: false,
	});
}
