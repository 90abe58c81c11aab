import { useQuery } from '@tanstack/react-query';
import { type GroupRef, isComputedGroup } from '#contract/accounts/groups.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { ChipFilter } from '#web/ui/forms/chip-filter.tsx';
import { SelectField } from '#web/ui/forms/field.tsx';
import type { UsersSearch } from './user-list.tsx';

interface UserFiltersProps {
	search: UsersSearch;
	onChange: (filters: Partial<UsersSearch>) => void;
}

export function UserStatusFilter({ search, onChange }: UserFiltersProps) {
	return (
		<ChipFilter
			label={m.users_filter()}
			value={search.status}
			onChange={(status) => onChange({ status })}
			choices={[
				{ value: 'all', label: m.users_all() },
				{ value: 'active', label: m.users_active() },
				{ value: 'deactivated', label: m.users_deactivated() },
			]}
		/>
	);
}

/** Filters by role and book access, and the sort. */
export function UserSelects({ search, onChange }: UserFiltersProps) {
	const groups = useQuery(api.groups.list.queryOptions({ input: { limit: limits.pageSizeMax } })).data?.items ?? [];
	const selects = {
		role: {
			label: m.users_role_filter(),
			options: { all: m.users_role_any(), user: m.users_role_members(), admin: m.users_admins() },
		},
		book: {
			label: m.users_book_filter(),
			options: {
				all: m.users_book_any(),
				open: m.users_order_complete(),
				pending: m.users_order_pending(),
				none: m.users_book_none(),
			},
		},
		// Left out while there are no groups to choose.
		...((groups.length > 0 || search.group !== '') && {
			group: { label: m.users_group_filter(), options: groupOptions(groups, search.group) },
		}),
		sort: {
			label: m.users_sort(),
			options: { recent: m.users_sort_recent(), newest: m.users_sort_newest(), email: m.users_sort_email() },
		},
	};
	return (
		<>
			{Object.entries(selects).map(([field, { label, options }]) => (
				<SelectField
					key={field}
					aria-label={label}
					data={Object.entries(options).map(([value, text]) => ({ value, label: text }))}
					value={search[field as keyof typeof selects]}
					onChange={({ currentTarget: { value } }) => onChange({ [field]: value })}
				/>
			))}
		</>
	);
}

/** Named groups. A computed or deleted group is an option only while it is the filter of the address. */
function groupOptions(groups: readonly GroupRef[], chosen: string): Record<string, string> {
	const computed = { 'all-members': m.group_all_members(), 'book-owners': m.group_book_owners() };
	const named = Object.fromEntries(groups.map(({ id, name }) => [id, name]));
	const other = isComputedGroup(chosen) ? computed[chosen] : m.users_group_deleted();
	return { '': m.users_group_any(), ...(chosen !== '' && { [chosen]: other }), ...named };
}
