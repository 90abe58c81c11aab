import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { CsvImportDialog } from '#web/ui/forms/csv-import-dialog.tsx';

export function ImportCredentialsDialog({ onClose }: { onClose: () => void }) {
	const load = useChange(client.credentials.importCsv, {
		refetch: [api.credentials.list.key()],
		onError: shownInForm,
	});
	const report = load.data && {
		added: load.data.added,
		addedText: m.credentials_import_done({ count: load.data.added, shown: formatCount(load.data.added) }),
		problems: load.data.problems.map(({ line, username, state, reason }) => ({
			line,
			about: [username, state].filter((name) => name !== '').join(', '),
			reason,
		})),
	};
	return (
		<CsvImportDialog
			onClose={onClose}
			title={m.credentials_import_title()}
			hint={m.credentials_import_hint({ count: formatCount(limits.credentialImportMaxRows) })}
			example={'username,state,id,password\nasha.verma,goa,GA-0001,…'}
			maxBytes={limits.credentialImportMaxBytes}
			importCall={load}
			report={report}
		/>
	);
}
