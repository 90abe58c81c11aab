import { Flex } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { AddCredentialsDialog } from '#web/features/credentials/credentials-add-form.tsx';
import { type CredentialsSearch, credentialsSearch } from '#web/features/credentials/credentials-fields.tsx';
import { ImportCredentialsDialog } from '#web/features/credentials/credentials-import-dialog.tsx';
import { CredentialsList } from '#web/features/credentials/credentials-list.tsx';
import { CredentialsLookupLog } from '#web/features/credentials/credentials-lookup-log.tsx';
import { CredentialsSearchForm } from '#web/features/credentials/credentials-search.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { ChipFilter } from '#web/ui/forms/chip-filter.tsx';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { ListScreen } from '#web/ui/layout/section.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from '../list-screen.module.css';

/** /admin/credentials: the credentials that users can look up, and the log of lookups. */
export function AdminCredentialsScreen() {
	const [search, setSearch] = useUrlState(credentialsSearch);
	const [open, setOpen] = useState<'add' | 'import'>();
	const close = () => setOpen(undefined);
	return (
		<ListScreen
			title={m.screen_admin_credentials()}
			actions={
				<>
					<Button className={classes.iconOnPhone} icon={IconFileImport} onClick={() => setOpen('import')}>
						<span className={textClasses.hiddenOnPhone}>{m.credentials_import()}</span>
					</Button>
					<Button variant="primary" className={classes.iconOnPhone} icon={IconPlus} onClick={() => setOpen('add')}>
						<span className={textClasses.hiddenOnPhone}>{m.credentials_add()}</span>
					</Button>
				</>
			}
		>
			<Flex wrap="wrap" align="center" gap={12} className={classes.tools}>
				<SegmentedSwitch
					label={m.credentials_view()}
					segments={[
						{ value: 'credentials', label: m.credentials_view_list() },
						{ value: 'lookups', label: m.credentials_view_lookups() },
					]}
					value={search.view}
					onChange={(view) => setSearch({ view }, { isNewStep: true })}
				/>
				<Tools search={search} onChange={(patch) => setSearch(patch, { isNewStep: true })} />
			</Flex>
			{search.view === 'lookups' ? (
				<CredentialsLookupLog key={search.filter} search={search} onClear={() => setSearch({ filter: 'all' })} />
			) : (
				<CredentialsList
					key={JSON.stringify([search.username, search.state])}
					search={search}
					onClear={() => setSearch({ username: '', state: '' })}
				/>
			)}
			{open === 'add' && <AddCredentialsDialog onClose={close} />}
			{open === 'import' && <ImportCredentialsDialog onClose={close} />}
		</ListScreen>
	);
}

function Tools(props: { search: CredentialsSearch; onChange: (patch: Partial<CredentialsSearch>) => void }) {
	const { search, onChange } = props;
	if (search.view === 'credentials') {
		return (
			<>
				<CredentialsSearchForm search={search} onSearch={onChange} />
				<ButtonLink to="/insta-credentials" variant="quiet" size="small" className={classes.aside ?? ''}>
					{m.credentials_public_page()}
				</ButtonLink>
			</>
		);
	}
	return (
		<>
			<ChipFilter
				label={m.credentials_lookup_filter()}
				value={search.filter}
				onChange={(filter) => onChange({ filter })}
				choices={[
					{ value: 'all', label: m.credentials_lookup_all() },
					{ value: 'found', label: m.credentials_lookup_found() },
					{ value: 'not-found', label: m.credentials_lookup_not_found() },
				]}
			/>
			<span className={classes.aside}>{m.credentials_lookups_retention({ days: limits.credentialLookupDays })}</span>
		</>
	);
}
