import { IconDownload } from '@tabler/icons-react';
import { useCallback } from 'react';
import { m } from '#messages';
import { type AuditSearch, auditCsvUrl, auditSearch } from '#web/features/audit/audit-api.ts';
import { AuditFilter } from '#web/features/audit/audit-filter.tsx';
import { AuditList } from '#web/features/audit/audit-list.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import classes from '../list-screen.module.css';

/** /admin/audit: who changed what, when and from where. */
export function AuditScreen() {
	const [search, setSearch] = useUrlState(auditSearch);
	const change = useCallback((patch: Partial<AuditSearch>) => setSearch(patch), [setSearch]);
	return (
		<>
			<PageHeader
				title={m.screen_audit()}
				note={m.audit_intro()}
				actions={
					<ButtonAnchor href={auditCsvUrl(search)} download icon={<IconDownload {...iconProps} />}>
						{m.audit_export()}
					</ButtonAnchor>
				}
			/>
			<div className={classes.page}>
				<AuditFilter search={search} onChange={change} />
				<AuditList key={JSON.stringify(search)} search={search} onClear={() => change(auditSearch.parse({}))} />
			</div>
		</>
	);
}
