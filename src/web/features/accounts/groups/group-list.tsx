import { Flex, Stack } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Group } from '#contract/accounts/groups.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import cardClasses from '#web/ui/data/cards.module.css';
import { PagedList, usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { groupName, groupNote } from '#web/ui/data/user-rows.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';

const rowsPerPage = 50;

/** Groups as links to their members; the computed groups come first. Needs the search as `key`. */
export function GroupList({ search, onClear }: { search: string; onClear: () => void }) {
	const list = usePagedQuery(rowsPerPage, (page) =>
		api.groups.list.queryOptions({ input: { search: search || undefined, ...page } }),
	);
	const computed = list.pages.pageIndex === 0 ? (list.page.data?.computed ?? []) : [];
	return (
		<Stack gap={16} maw={760}>
			<GroupLinks groups={computed} label={m.groups_computed()} />
			<PagedList
				list={list}
				texts={{
					failed: m.groups_failed(),
					empty: search === '' ? m.groups_empty() : m.groups_none_found(),
					pages: m.groups_pages(),
				}}
				emptyAction={search !== '' && <Button onClick={onClear}>{m.users_clear()}</Button>}
				skeleton={<SkeletonLines label={m.groups_loading()} count={6} height="60px" />}
				isHiddenOnSinglePage
			>
				{(items) => <GroupLinks groups={items} label={m.groups_named()} />}
			</PagedList>
		</Stack>
	);
}

function GroupLinks({ groups, label }: { groups: readonly Group[]; label: string }) {
	if (groups.length === 0) return null;
	return (
		<Stack gap={8} component="ul" aria-label={label}>
			{groups.map((group) => (
				<li key={group.id}>
					<Link to="." search={{ group: group.id }} className={cardClasses.link}>
						<Flex align="center" gap={12} flex={1} miw={0} p="10px 16px" mih={60}>
							<IconUsersGroup {...iconProps} style={{ flex: 'none' }} color="var(--muted)" />
							<Stack gap={0} flex={1} miw={0}>
								<bdi className={textClasses.cut} style={{ fontWeight: 500 }}>
									{groupName(group)}
								</bdi>
								{groupNote(group.id) !== '' && <span className={textClasses.note}>{groupNote(group.id)}</span>}
							</Stack>
							<span className={textClasses.smallFigure}>{membersText(group.memberCount)}</span>
						</Flex>
					</Link>
				</li>
			))}
		</Stack>
	);
}

export function membersText(count: number): string {
	return m.groups_members({ count, shown: formatCount(count) });
}
