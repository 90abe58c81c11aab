import { Box, Group } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { CredentialLookup } from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatDateTime, formatDevice } from '#web/platform/formats/format.ts';
import { usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import classes from './credentials.module.css';
import type { CredentialsSearch } from './credentials-fields.tsx';
import { CredentialsPagedList } from './credentials-paged-list.tsx';

/** Newest lookup first. New lookups appear automatically. */
export function CredentialsLookupLog({ search, onClear }: { search: CredentialsSearch; onClear: () => void }) {
	const { filter } = search;
	const list = usePagedQuery(50, (page) => api.credentials.lookups.queryOptions({ input: { filter, ...page } }));
	const hasFilters = filter !== 'all';
	return (
		<div className={classes.lookups}>
			<CredentialsPagedList
				list={list}
				texts={{
					failed: m.credentials_lookups_failed(),
					loading: m.credentials_lookups_loading(),
					empty: hasFilters ? m.credentials_lookups_none() : m.credentials_lookups_empty(),
				}}
				emptyAction={hasFilters ? <Button onClick={onClear}>{m.credentials_clear_filter()}</Button> : undefined}
				columns={[
					m.credentials_lookup_when(),
					m.credentials_lookup_asked(),
					m.credentials_lookup_answer(),
					m.credentials_lookup_who(),
					m.credentials_lookup_from(),
				]}
			>
				{(lookups) => lookups.map((lookup) => <LookupRow key={lookup.id} lookup={lookup} />)}
			</CredentialsPagedList>
		</div>
	);
}

function LookupRow({
	lookup: { at, username, state, isUnreadable, isFound, ip, device, email },
}: {
	lookup: CredentialLookup;
}) {
	const blank = m.credentials_lookup_blank();
	return (
		<li className={classes.row}>
			<span className={classes.when}>{formatDateTime(at)}</span>
			<span className={classes.cell}>
				{isUnreadable ? (
					m.credentials_lookup_unreadable()
				) : (
					<>
						<Box component="b" fw={600}>
							{username || blank}
						</Box>
						, {state || blank}
					</>
				)}
			</span>
			<Group className={classes.answer}>
				<Badge tone={isFound ? 'positive' : 'neutral'} icon={isFound ? IconCheck : IconX}>
					{isFound ? m.credentials_lookup_found() : m.credentials_lookup_not_found()}
				</Badge>
			</Group>
			<span className={classes.from}>{email ?? m.credentials_lookup_visitor()}</span>
			<span className={classes.from}>
				{ip}, {formatDevice(device)}
			</span>
		</li>
	);
}
