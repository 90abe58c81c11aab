import { IconBook2, IconFolderOpen, IconHome } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useMe } from '#web/platform/session/session.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { FailedState } from '#web/ui/states/states.tsx';
import classes from './folder-picker.module.css';
import { useUserSearch } from './folder-picker-api.ts';

/** Lists the spaces that copies can go into: the user's own, the reserved ones, and those of all users by search. */
export function SpacePicker({ onChoose }: { onChoose: (owner: string) => void }) {
	const me = useMe();
	const [search, setSearch] = useState('');
	const users = useUserSearch(search);
	const reserved = [
		{ owner: me.email, label: m.files_my_files(), Drawing: IconHome },
		{ owner: 'guest', label: m.files_space_guest(), Drawing: IconFolderOpen },
		{ owner: 'book', label: m.files_space_book(), Drawing: IconBook2 },
	];
	return (
		<>
			<SearchField label={m.users_search()} value={search} onChange={setSearch} />
			<ul className={classes.list} aria-label={m.files_all_spaces()}>
				{search.trim() === '' &&
					reserved.map(({ owner, label, Drawing }) => (
						<li key={owner}>
							<button type="button" className={classes.folder} onClick={() => onChoose(owner)}>
								<Drawing {...iconProps} />
								<span className={classes.name}>{label}</span>
							</button>
						</li>
					))}
				{users.data?.items
					.filter(({ email }) => email !== me.email)
					.map(({ id, email, name }) => (
						<li key={id}>
							<button type="button" className={classes.folder} onClick={() => onChoose(email)}>
								<Avatar name={name} email={email} size={32} />
								<span className={classes.name}>{email}</span>
							</button>
						</li>
					))}
				{users.data?.items.length === 0 && <li className={classes.none}>{m.users_empty()}</li>}
			</ul>
			{users.isError && (
				<FailedState
					text={m.users_failed()}
					detail={describeFailure(users.error).message}
					onRetry={() => void users.refetch()}
				/>
			)}
		</>
	);
}
