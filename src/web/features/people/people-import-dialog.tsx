import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { CsvImportDialog } from '#web/ui/csv-import-dialog.tsx';
import { useImportPeople } from './people.api.ts';

/** Many users at once, from a file or pasted. */
export function ImportPeopleDialog({ onClose }: { onClose: () => void }) {
	const load = useImportPeople();
	const report = load.data && {
		added: load.data.added,
		addedText: m.people_import_done({ count: formatCount(load.data.added) }),
		problems: load.data.problems.map(({ line, value, reason }) => ({ line, about: value, reason })),
	};
	return (
		<CsvImportDialog
			onClose={onClose}
			title={m.people_import_title()}
			hint={m.people_import_hint({ count: formatCount(limits.peopleImportMaxRows) })}
			example={'email,name,role\nasha.verma@example.com,Asha Verma,user'}
			maxBytes={limits.peopleImportMaxBytes}
			load={load}
			report={report}
		/>
	);
}
