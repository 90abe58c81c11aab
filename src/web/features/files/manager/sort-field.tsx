import { m } from '#messages';
import { SelectField } from '#web/ui/forms/field.tsx';
import type { FileListQuery, Order, SortKey } from '../file-list-query.ts';

interface SortFieldProps {
	listQuery: Pick<FileListQuery, 'sort' | 'order'>;
	onChange: (change: Pick<FileListQuery, 'sort' | 'order'>) => void;
}

/** Chooses the order of a listing without column headers: in the grid and on a phone. */
export function SortField({ listQuery, onChange }: SortFieldProps) {
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
