import { Box } from '@mantine/core';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { useMe } from '#web/platform/session/session.ts';
import { ChooseButton } from '#web/ui/data/chosen-tokens.tsx';
import { GroupRow, groupNote, UserRow } from '#web/ui/data/user-rows.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { keyOfTarget, labelOfTarget, type ShareTarget, targetOfGroup } from '../use-share-actions.tsx';
import classes from './share-dialog.module.css';

interface RecipientSearchProps {
	/** Email address of the owner of the nodes, with whom they cannot be shared. */
	owner: string;
	/** The email addresses and group ids that can read the node already. */
	readers: ReadonlySet<string>;
	chosen: readonly ShareTarget[];
	onChoose: (target: ShareTarget) => void;
}

const shownMax = 8;

/** Finds groups and users by a search; without one, shows groups and recent recipients. */
export function RecipientSearch({ owner, readers, chosen, onChoose }: RecipientSearchProps) {
	const [search, setSearch] = useState('');
	const text = search.trim();
	const excluded = new Set([owner, useMe().email].map((email) => email.toLowerCase()));
	const recent = useRecentRecipients(excluded);
	const groups = useQuery(
		api.groups.list.queryOptions({
			input: { search: text || undefined, limit: text === '' ? 4 : shownMax },
			placeholderData: keepPreviousData,
		}),
	);
	const users = useQuery(
		api.people.list.queryOptions({
			input: { search: text, limit: shownMax },
			enabled: text !== '',
			placeholderData: keepPreviousData,
		}),
	);
	const foundGroups = [...(groups.data?.computed ?? []), ...(groups.data?.items ?? [])];
	const foundUsers = text === '' ? recent : (users.data?.items ?? []);
	const chosenKeys = new Set(chosen.map(keyOfTarget));
	const chooseButtonOf = (target: ShareTarget) => (
		<ChooseButton
			name={labelOfTarget(target)}
			isChosen={chosenKeys.has(keyOfTarget(target))}
			onClick={() => onChoose(target)}
		/>
	);
	const isNothingFound = text !== '' && users.data?.items.length === 0 && foundGroups.length === 0;
	return (
		<div>
			<SearchField label={m.sharing_find_user()} value={search} onChange={setSearch} />
			{text !== '' && users.isError && <FailedQuery text={m.users_failed()} query={users} />}
			<Candidates heading={m.screen_groups()} isBusy={groups.isPlaceholderData}>
				{foundGroups.map((group) => (
					<GroupRow
						key={group.id}
						group={group}
						notes={[groupNote(group.id), readers.has(group.id) && m.sharing_reads_already()]}
					>
						{chooseButtonOf(targetOfGroup(group))}
					</GroupRow>
				))}
			</Candidates>
			<Candidates heading={text === '' ? m.sharing_recent() : m.sharing_found_users()} isBusy={users.isPlaceholderData}>
				{foundUsers.map(({ email, name, active }) => (
					<UserRow
						key={email}
						name={name}
						email={email}
						isMuted={!active}
						notes={[
							!active && m.sharing_inactive(),
							name !== null && email,
							readers.has(email) && m.sharing_reads_already(),
						]}
					>
						{active && !excluded.has(email.toLowerCase()) && chooseButtonOf({ email })}
					</UserRow>
				))}
			</Candidates>
			{isNothingFound && (
				<Box component="p" mt={12} c="dimmed" role="status">
					{m.sharing_none_found()}
				</Box>
			)}
		</div>
	);
}

function Candidates({ heading, isBusy, children }: { heading: string; isBusy: boolean; children: React.ReactNode[] }) {
	if (children.length === 0) return null;
	return (
		<Box component="section" mt={16} aria-label={heading}>
			<h3 className={classes.heading}>{heading}</h3>
			<ul aria-busy={isBusy}>{children}</ul>
		</Box>
	);
}

const recentMax = 5;

/** Returns the most recent recipients that exist and are not excluded. They stay the same while the dialog is open. */
function useRecentRecipients(excluded: ReadonlySet<string>) {
	const emails = useRecentlySharedWith().filter((email) => !excluded.has(email.toLowerCase()));
	const found = useQueries({
		queries: emails
			.slice(0, recentMax)
			.map((email) => api.people.list.queryOptions({ input: { search: email, limit: shownMax } })),
	});
	if (found.some(({ isPending }) => isPending)) return [];
	return found.flatMap(({ data }, index) => data?.items.find(({ email }) => email === emails[index]) ?? []);
}

/** Returns the email addresses of recipients, the most recent first. They stay the same while the dialog is open. */
function useRecentlySharedWith(): string[] {
	const input = { limit: 20 };
	const folders = useQuery(api.sharing.folderDocuments.queryOptions({ input }));
	const files = useQuery(api.sharing.fileDocuments.queryOptions({ input }));
	const [recipients, setRecipients] = useState<string[]>();
	const isLoaded = [folders, files].every(({ data, isFetching }) => data !== undefined && !isFetching);
	if (recipients !== undefined || !isLoaded) return recipients ?? [];
	const newest = [...(folders.data?.items ?? []), ...(files.data?.items ?? [])].sort((a, b) =>
		b.sharedAt.localeCompare(a.sharedAt),
	);
	const loaded = [...new Set(newest.map(({ sharedWith }) => sharedWith))];
	setRecipients(loaded);
	return loaded;
}
