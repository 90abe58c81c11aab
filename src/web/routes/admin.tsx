import { Menu } from '@mantine/core';
import { IconDevices, IconUserPlus } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import type { Person } from '#contract/people/people.ts';
import { m } from '#messages';
import { MailNotice } from '#web/features/mail/mail-notice.tsx';
import { peopleSearch, usePeople } from '#web/features/people/people.api.ts';
import { AddPersonDialog } from '#web/features/people/people-add-dialog.tsx';
import { ImportPeopleDialog } from '#web/features/people/people-import-dialog.tsx';
import { PeopleList } from '#web/features/people/people-list.tsx';
import { type PersonAction, PersonActionsContext } from '#web/features/people/person-actions.ts';
import { BookGrantDialog, BookGrantItem } from '#web/features/reader/book-grant.tsx';
import type { BookGrantStep } from '#web/features/reader/book-grant-step.ts';
import { PersonDevicesDialog } from '#web/features/sessions/person-devices-dialog.tsx';
import { formatCount } from '#web/platform/format.ts';
import { useUrlState } from '#web/platform/url-state.ts';
import { Button } from '#web/ui/button.tsx';
import { ChipFilter } from '#web/ui/chip-filter.tsx';
import { iconProps, smallIconProps } from '#web/ui/icon.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import classes from './list-screen.module.css';

const firstPage = { page: 1, after: '' };

/** /admin: everybody with an account. */
export function AdminScreen() {
	const [search, setSearch] = useUrlState(peopleSearch);
	const [isAdding, setAdding] = useState(false);
	const [devicesOf, setDevicesOf] = useState<Person | null>(null);
	const [granting, setGranting] = useState<{ person: Person; step: BookGrantStep }>();
	const actions = useMemo<readonly PersonAction[]>(
		() => [
			{
				key: 'devices',
				draw: (person) => (
					<Menu.Item leftSection={<IconDevices {...smallIconProps} />} onClick={() => setDevicesOf(person)}>
						{m.sessions_open()}
					</Menu.Item>
				),
			},
			{
				key: 'book',
				draw: (person) => <BookGrantItem person={person} onAsk={(of, step) => setGranting({ person: of, step })} />,
			},
		],
		[],
	);
	const [isImporting, setImporting] = useState(false);
	const everyone = usePeople(search, undefined);
	const findEmail = useCallback((text: string) => setSearch({ ...firstPage, search: text }), [setSearch]);
	return (
		<>
			<PageHeader
				title={m.screen_admin()}
				note={
					everyone.data === undefined
						? undefined
						: `${formatCount(everyone.data.total)}${everyone.data.isMore ? '+' : ''}`
				}
				actions={
					<Button variant="primary" icon={<IconUserPlus {...iconProps} />} onClick={() => setAdding(true)}>
						{m.people_add()}
					</Button>
				}
			/>
			<div className={classes.page}>
				<MailNotice />
				<div className={classes.tools}>
					<SearchField label={m.people_search()} value={search.search} onChange={findEmail} />
					<ChipFilter
						label={m.people_filter()}
						value={search.filter}
						onChange={(filter) => setSearch({ ...firstPage, filter }, { isNewStep: true })}
						choices={[
							{ value: 'all', label: m.people_all() },
							{ value: 'active', label: m.people_active() },
							{ value: 'deactivated', label: m.people_deactivated() },
							{ value: 'admins', label: m.people_admins() },
						]}
					/>
					<span className={classes.aside}>{m.people_sorted()}</span>
				</div>
				<PersonActionsContext value={actions}>
					<PeopleList
						key={`${search.filter} ${search.search}`}
						search={search}
						onPage={(page, passed) => setSearch(page, { isNewStep: true, state: { passed } })}
						onClear={() => setSearch({ ...firstPage, search: '', filter: 'all' })}
					/>
				</PersonActionsContext>
			</div>
			{devicesOf !== null && <PersonDevicesDialog person={devicesOf} onClose={() => setDevicesOf(null)} />}
			{granting !== undefined && <BookGrantDialog {...granting} onClose={() => setGranting(undefined)} />}
			{isImporting && <ImportPeopleDialog onClose={() => setImporting(false)} />}
			{isAdding && (
				<AddPersonDialog
					onClose={() => setAdding(false)}
					onImport={() => {
						setAdding(false);
						setImporting(true);
					}}
				/>
			)}
		</>
	);
}
