import { Group } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { m } from '#messages';
import { TextField } from '#web/ui/forms/field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from './credentials.module.css';
import { type CredentialsSearch, fieldLabels } from './credentials-fields.tsx';

type SearchFields = Pick<CredentialsSearch, 'username' | 'state'>;

interface CredentialsSearchFormProps {
	search: SearchFields;
	onSearch: (names: SearchFields) => void;
}

/** Requires the exact username and state: the records are encrypted, so that parts of a text cannot be searched. */
export function CredentialsSearchForm({ search: { username, state }, onSearch }: CredentialsSearchFormProps) {
	const [typed, setTyped] = useState({ username, state });
	const [isIncomplete, setIncomplete] = useState(false);
	useEffect(() => setTyped({ username, state }), [username, state]);

	const submit = (event: FormEvent) => {
		event.preventDefault();
		const names = { username: typed.username.trim(), state: typed.state.trim() };
		const isHalf = (names.username === '') !== (names.state === '');
		setIncomplete(isHalf);
		if (!isHalf) onSearch(names);
	};
	const isSearching = username !== '' || state !== '';

	return (
		<Group
			component="form"
			role="search"
			aria-label={m.credentials_find_label()}
			gap={8}
			align="flex-start"
			className={classes.search}
			onSubmit={submit}
		>
			{(['username', 'state'] as const).map((field) => {
				const label = fieldLabels[field]();
				return (
					<TextField
						key={field}
						className={classes.field}
						w={200}
						aria-label={label}
						placeholder={label}
						autoComplete="off"
						autoCapitalize="none"
						spellCheck={false}
						value={typed[field]}
						error={isIncomplete && typed[field].trim() === '' ? m.error_field_required() : undefined}
						onChange={(event) => setTyped({ ...typed, [field]: event.currentTarget.value })}
					/>
				);
			})}
			<Button type="submit" className={classes.submit} icon={IconSearch}>
				<span className={textClasses.hiddenOnPhone}>{m.credentials_find()}</span>
			</Button>
			{isSearching && (
				<IconButton label={m.credentials_clear()} icon={IconX} onClick={() => onSearch({ username: '', state: '' })} />
			)}
		</Group>
	);
}
