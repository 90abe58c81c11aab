import { useQuery } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { SelectField } from '#web/ui/forms/field.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';

interface GroupChoiceProps {
	/** ID of the chosen group; '' for none. */
	value: string;
	error: string | undefined;
	onChange: (id: string) => void;
}

/** The choice of a named group. */
export function GroupChoice({ value, error, onChange }: GroupChoiceProps) {
	const groups = useQuery(api.groups.list.queryOptions({ input: { limit: limits.pageSizeMax } }));
	if (groups.isPending) return <SkeletonLines label={m.common_loading()} count={1} height="36px" />;
	if (groups.data === undefined) return <FailedQuery text={m.bulk_groups_failed()} query={groups} />;
	const { items } = groups.data;
	if (items.length === 0) {
		const createLink = (
			<ButtonLink to="/admin/groups" size="small">
				{m.bulk_group_create()}
			</ButtonLink>
		);
		return (
			<Notice tone="info" action={createLink}>
				{m.bulk_group_none()}
			</Notice>
		);
	}
	return (
		<SelectField
			label={m.bulk_group()}
			value={value}
			error={error}
			data={[{ value: '', label: m.bulk_group_choose() }, ...items.map(({ id, name }) => ({ value: id, label: name }))]}
			onChange={({ currentTarget }) => onChange(currentTarget.value)}
		/>
	);
}
