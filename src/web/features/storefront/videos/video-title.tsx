import { Flex } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { languageNames, locales } from '#contract/core/text.ts';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api/client.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { UnsavedChangesGuard } from '#web/ui/forms/unsaved-changes-guard.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { InputError } from '#web/ui/primitives/file-button.tsx';

export type VideoSettings = CallOutputs['filmSettings']['get'];
type Title = VideoSettings['films']['benefits']['title'];

interface VideoTitleProps {
	title: Title;
	/** Error messages by field path; '' for an error without a field. */
	errors: Record<string, string>;
	isBusy: boolean;
	onSave: (title: Title, onSaved: () => void) => void;
}

export function VideoTitle({ title, errors, isBusy, onSave }: VideoTitleProps) {
	const [draft, setDraft] = useState<Title>();
	const typed = draft ?? title;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		onSave(typed, () => setDraft(undefined));
	};
	return (
		<Flex component="form" direction="column" gap={16} miw={0} onSubmit={submit} noValidate>
			<UnsavedChangesGuard isUnsaved={draft !== undefined} />
			{locales.map((language) => (
				<TextField
					key={language}
					label={m.videos_title_field({ language: languageNames[language] })}
					description={m.videos_title_hint()}
					lang={language}
					autoComplete="off"
					value={typed[language]}
					error={errors[`title.${language}`]}
					onChange={({ currentTarget }) => setDraft({ ...typed, [language]: currentTarget.value })}
				/>
			))}
			<InputError text={errors['']} />
			<div>
				<Button type="submit" disabled={isBusy}>
					{m.videos_title_save()}
				</Button>
			</div>
		</Flex>
	);
}
