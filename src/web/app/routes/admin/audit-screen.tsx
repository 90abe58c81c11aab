import { IconDownload } from '@tabler/icons-react';
import { m } from '#messages';
import { auditCsvUrl, auditSearch } from '#web/features/audit/audit-api.ts';
import { AuditFilter } from '#web/features/audit/audit-filter.tsx';
import { AuditList } from '#web/features/audit/audit-list.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import classes from '../list-screen.module.css';

/** /admin/audit: who changed what, when and from where. */
export function AuditScreen() {
	const [search, setSearch] = useUrlState(auditSearch);
	return (
		<>
			<PageHeader
				title={m.screen_audit()}
				note={m.audit_intro()}
				actions={
					<ButtonAnchor href={auditCsvUrl(search)} download icon={IconDownload}>
						{m.audit_export()}
					</ButtonAnchor>
				}
			/>
			<div className={classes.page}>
				<AuditFilter search={search} onChange={setSearch} />
				<AuditList key={JSON.stringify(search)} search={search} onClear={() => setSearch(auditSearch.parse({}))} />
			</div>
		</>
	);
}
