import { Box, Flex, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type EditionKey, editionKeyOf, listEditionKeys } from '#contract/book/editions.ts';
import { m } from '#messages';
import { FieldGroup, SelectField } from '#web/ui/forms/field.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { editionLabel } from '../shelf/edition-labels.ts';
import classes from './book-settings-dialog.module.css';
import type { BookSettingsFieldsProps } from './book-settings-fields.tsx';
import { type BookSettings, findEditionProblem } from './book-settings-form.ts';
import { EditionMatrixFields } from './edition-matrix-fields.tsx';

type EditionFieldsProps = BookSettingsFieldsProps & {
	settings: BookSettings;
	/** Whether the first file has the focus when the dialog opens. */
	isFocused: boolean;
};

export function EditionFields(props: EditionFieldsProps) {
	const { parts, languages } = props.form;
	const [isOpen, setOpen] = useState(false);
	const hasMatrixError = Object.keys(props.errors).some((path) => /^(?:parts|languages)\b/u.test(path));
	return (
		<FieldGroup legend={m.orders_editions()}>
			<p className={textClasses.note}>
				{m.orders_editions_hint()}{' '}
				<Link to="/user/$email" params={{ email: 'book' }} className={classes.link}>
					{m.orders_editions_link()}
				</Link>
			</p>
			<Box
				component="details"
				open={isOpen || hasMatrixError}
				// Also called when an error opens the section, which then stays open while the error is corrected.
				onToggle={(event) => setOpen(event.currentTarget.open)}
			>
				<Box component="summary" mih="var(--touch)" py={10} fw={550} style={{ cursor: 'pointer' }}>
					{m.orders_parts_and_languages()}
				</Box>
				<EditionMatrixFields {...props} />
			</Box>
			<div className={classes.pair}>
				{parts.flatMap(({ number: part }) =>
					languages.map(({ code: language }) => (
						<EditionFile key={editionKeyOf({ part, language })} {...props} part={part} language={language} />
					)),
				)}
			</div>
		</FieldGroup>
	);
}

/** The focus trap of a dialog does not scroll. */
function scrollIntoView(element: HTMLElement | null): void {
	element?.scrollIntoView({ block: 'center' });
}

function EditionFile(props: EditionFieldsProps & { part: number; language: string }) {
	const { settings, form, errors, theirs, isFocused, onChange, part, language } = props;
	const key = editionKeyOf({ part, language });
	const label = editionLabel(form, { part, language }, true);
	const files = settings.bookFiles.map(({ id, name }) => ({ value: id, label: name }));
	return (
		<Stack gap={4}>
			<SelectField
				label={label || m.orders_edition_file()}
				name={key}
				ref={isFocused && key === listEditionKeys(form)[0] ? scrollIntoView : undefined}
				data-autofocus={(isFocused && key === listEditionKeys(form)[0]) || undefined}
				value={form.editions[key] ?? ''}
				error={errors[`editions.${key}`] ?? findEditionProblem(settings, form, key)}
				description={remoteFileText(props, key)}
				onChange={(event) => onChange({ editions: { ...form.editions, [key]: event.currentTarget.value } })}
				data={[{ value: '', label: m.orders_edition_none() }, ...files]}
			/>
			<Flex component="label" align="center" gap={10} mih="var(--touch)" fz={13}>
				<input
					type="checkbox"
					aria-label={label ? m.orders_edition_download_of({ edition: label }) : m.orders_edition_download()}
					checked={form.downloads[key] ?? false}
					onChange={({ currentTarget }) => onChange({ downloads: { ...form.downloads, [key]: currentTarget.checked } })}
				/>
				<span>{[m.orders_edition_download(), remoteDownloadText(form, theirs, key)].filter(Boolean).join(' · ')}</span>
			</Flex>
		</Stack>
	);
}

function remoteFileText({ settings, form, theirs }: EditionFieldsProps, key: EditionKey): string | undefined {
	if (theirs === undefined || theirs.editions[key] === form.editions[key]) return undefined;
	const name = settings.bookFiles.find((file) => file.id === theirs.editions[key])?.name;
	return m.orders_now({ value: name ?? m.orders_edition_none() });
}

type Form = BookSettingsFieldsProps['form'];

function remoteDownloadText(form: Form, theirs: Form | undefined, key: EditionKey): string | undefined {
	if (theirs === undefined || theirs.downloads[key] === form.downloads[key]) return undefined;
	return m.orders_now({ value: theirs.downloads[key] ? m.orders_download_on() : m.orders_download_off() });
}
