import { IconBook2, IconFolderOpen, IconHome } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { useMe } from '#web/platform/session.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { FailedState } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { usePeopleWith } from './folder-chooser.api.ts';
import classes from './folder-chooser.module.css';

/** The spaces that copies may go into: one's own, the common ones, and everybody's by search. */
export function ChooserSpaces({ onChoose }: { onChoose: (owner: string) => void }) {
	const me = useMe();
	const [search, setSearch] = useState('');
	const people = usePeopleWith(search);
	const common = [
		{ owner: me.email, label: m.files_my_files(), Drawing: IconHome },
		{ owner: 'guest', label: m.files_space_guest(), Drawing: IconFolderOpen },
		{ owner: 'book', label: m.files_space_book(), Drawing: IconBook2 },
	];
	return (
		<>
			<SearchField label={m.people_search()} value={search} onChange={setSearch} />
			<ul className={classes.list} aria-label={m.files_all_spaces()}>
				{search.trim() === '' &&
					common.map(({ owner, label, Drawing }) => (
						<li key={owner}>
							<button type="button" className={classes.folder} onClick={() => onChoose(owner)}>
								<Drawing {...iconProps} />
								<span className={classes.name}>{label}</span>
							</button>
						</li>
					))}
				{people.data?.items
					.filter(({ email }) => email !== me.email)
					.map(({ id, email, name }) => (
						<li key={id}>
							<button type="button" className={classes.folder} onClick={() => onChoose(email)}>
								<Avatar name={name} email={email} size={32} />
								<span className={classes.name}>{email}</span>
							</button>
						</li>
					))}
				{people.data?.items.length === 0 && <li className={classes.none}>{m.people_empty()}</li>}
			</ul>
			{people.isError && (
				<FailedState
					text={m.people_failed()}
					detail={describeFailure(people.error).message}
					onRetry={() => void people.refetch()}
				/>
			)}
		</>
	);
}
