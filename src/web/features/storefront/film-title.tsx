import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Fault } from '#web/ui/file-button.tsx';
import { LeaveQuestion } from '#web/ui/leave-question.tsx';
import type { Films } from './films.api.ts';
import classes from './films.module.css';

type Title = Films['films']['benefits']['title'];

interface FilmTitleProps {
	title: Title;
	/** Sentences by the contract's path, and one for the whole under ''. */
	faults: Record<string, string>;
	isBusy: boolean;
	onSave: (title: Title, onSaved: () => void) => void;
}

const languages = { en: m.landing_language_en, hi: m.landing_language_hi };

/** The words below a film's poster, in both languages. */
export function FilmTitle({ title, faults, isBusy, onSave }: FilmTitleProps) {
	const [draft, setDraft] = useState<Title>();
	const typed = draft ?? title;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		onSave(typed, () => setDraft(undefined));
	};
	return (
		<form className={classes.title} onSubmit={submit} noValidate>
			<LeaveQuestion isUnsaved={draft !== undefined} />
			{(['en', 'hi'] as const).map((language) => (
				<TextField
					key={language}
					label={m.films_title_field({ language: languages[language]() })}
					description={m.films_title_hint()}
					lang={language}
					autoComplete="off"
					value={typed[language]}
					error={faults[`title.${language}`]}
					onChange={({ currentTarget }) => setDraft({ ...typed, [language]: currentTarget.value })}
				/>
			))}
			<Fault text={faults['']} />
			<div>
				<Button type="submit" disabled={isBusy}>
					{m.films_title_save()}
				</Button>
			</div>
		</form>
	);
}
