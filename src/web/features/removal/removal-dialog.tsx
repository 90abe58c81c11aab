import { useState } from 'react';
import type { Person } from '#contract/people/people.ts';
import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/format.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { useDeletePerson } from './removal.api.ts';
import classes from './removal-list.module.css';

/** Says what goes and what stays, and asks. */
export function RemovalDialog({ person, onClose }: { person: Person | null; onClose: () => void }) {
	const remove = useDeletePerson();
	// Shown on while the dialog fades away.
	const [shown, setShown] = useState(person);
	if (person !== null && person !== shown) setShown(person);
	return (
		<ConfirmDialog
			isOpen={person !== null}
			onClose={onClose}
			onConfirm={() => person !== null && remove.mutate(person, { onSettled: onClose })}
			question={m.removal_question()}
			detail={shown !== null && <Consequences person={shown} />}
			confirmLabel={remove.isPending ? m.removal_deleting() : m.removal_delete()}
			isBusy={remove.isPending}
		/>
	);
}

function Consequences({ person }: { person: Person }) {
	const { fileCount, sizeBytes } = person;
	return (
		<div className={classes.consequences}>
			<p className={classes.whom}>
				<bdi>{person.email}</bdi>
			</p>
			<ul>
				<li>{m.removal_goes_sessions()}</li>
				<li>
					{fileCount === 0
						? m.removal_goes_no_files()
						: m.removal_goes_files({ count: fileCount, shown: formatCount(fileCount), size: formatSize(sizeBytes) })}
				</li>
				<li>{person.order === 'none' ? m.removal_stays_audit() : m.removal_stays_order()}</li>
			</ul>
		</div>
	);
}
