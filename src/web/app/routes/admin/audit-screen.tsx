import { IconDownload } from '@tabler/icons-react';
import { m } from '#messages';
import { auditCsvUrl, auditSearch } from '#web/features/audit/audit-api.ts';
import { AuditFilter } from '#web/features/audit/audit-filter.tsx';
import { AuditList } from '#web/features/audit/audit-list.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { ListScreen } from '#web/ui/layout/section.tsx';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from '../list-screen.module.css';

export function AuditScreen() {
	const [search, setSearch] = useUrlState(auditSearch);
	return (
		<ListScreen
			title={m.screen_audit()}
			note={m.audit_intro()}
			actions={
				<ButtonAnchor href={auditCsvUrl(search)} download className={classes.iconOnPhone} icon={IconDownload}>
					<span className={textClasses.hiddenOnPhone}>{m.audit_export()}</span>
				</ButtonAnchor>
			}
		>
			<AuditFilter search={search} onChange={setSearch} />
			<AuditList key={JSON.stringify(search)} search={search} onClear={() => setSearch(auditSearch.parse({}))} />
		</ListScreen>
	);
}
