import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { SelectField } from '#web/ui/forms/field.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';

function useNamedGroups(enabled: boolean) {
	return useQuery(api.groups.list.queryOptions({ input: { limit: limits.pageSizeMax }, enabled }));
}

/** The choice of a named group. `field`: the field to show. `require`: shows an error and returns false without a group. */
export function useGroupChoice(isWanted: boolean) {
	const [id, setId] = useState('');
	const [isMissing, setMissing] = useState(false);
	const groups = useNamedGroups(isWanted);
	const choose = (chosen: string) => {
		setId(chosen);
		setMissing(false);
	};
	return {
		id: id === '' ? undefined : id,
		require: () => {
			setMissing(isWanted && id === '');
			return !isWanted || id !== '';
		},
		field: isWanted && <GroupField {...{ groups, id, choose }} error={isMissing ? m.bulk_group_choose() : undefined} />,
	};
}

interface GroupFieldProps {
	groups: ReturnType<typeof useNamedGroups>;
	id: string;
	choose: (id: string) => void;
	error: string | undefined;
}

function GroupField({ groups, id, choose, error }: GroupFieldProps) {
	if (groups.isPending) return <SkeletonLines label={m.common_loading()} count={1} height="36px" />;
	if (groups.data === undefined) return <FailedQuery text={m.bulk_groups_failed()} query={groups} />;
	const { items } = groups.data;
	if (items.length === 0) {
		return (
			<Notice
				tone="info"
				action={
					<ButtonLink to="/admin/groups" size="small">
						{m.bulk_group_create()}
					</ButtonLink>
				}
			>
				{m.bulk_group_none()}
			</Notice>
		);
	}
	return (
		<SelectField
			label={m.bulk_group()}
			value={id}
			error={error}
			data={[
				{ value: '', label: m.bulk_group_choose() },
				...items.map(({ id: value, name }) => ({ value, label: name })),
			]}
			onChange={({ currentTarget }) => choose(currentTarget.value)}
		/>
	);
}
