import { Box, Flex, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { type BookLanguage, bookLanguagePattern, languageNameIn, ownLanguage } from '#contract/book/editions.ts';
import { limits } from '#contract/core/limits.ts';
import { locales } from '#contract/core/text.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { SelectField, TextField } from '#web/ui/forms/field.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { Notice } from '#web/ui/states/notice.tsx';
import { partLabel } from '../shelf/edition-labels.ts';
import classes from './book-settings-dialog.module.css';
import type { BookSettingsFieldsProps } from './book-settings-fields.tsx';
import { type BookSettingsForm, listAddableLanguages, losesFile, withNewPart } from './book-settings-form.ts';

type MatrixPatch = Partial<Pick<BookSettingsForm, 'parts' | 'languages'>>;

export function EditionMatrixFields({ form, errors, theirs, onChange }: BookSettingsFieldsProps) {
	const { parts, languages } = form;
	/** A removal that the user must confirm, because an edition with a file would be removed. */
	const [removal, setRemoval] = useState<{ name: string; patch: MatrixPatch }>();
	const box = useRef<HTMLDivElement>(null);
	const applyRemoval = (patch: MatrixPatch) => {
		onChange(patch);
		setRemoval(undefined);
		// The removed button had the focus. The dialog of the question returns the focus first.
		requestAnimationFrame(() => box.current?.focus({ preventScroll: true }));
	};
	const remove = (name: string, patch: MatrixPatch) =>
		losesFile(form, patch) ? setRemoval({ name, patch }) : applyRemoval(patch);
	const newParts = withNewPart(form);
	const isChangedByOther =
		theirs !== undefined && JSON.stringify([theirs.parts, theirs.languages]) !== JSON.stringify([parts, languages]);
	return (
		<Stack ref={box} gap={20} pt={4} role="group" tabIndex={-1} aria-label={m.orders_parts_and_languages()}>
			{isChangedByOther && <p className={textClasses.note}>{m.orders_matrix_changed()}</p>}
			<MatrixList label={m.orders_languages()} hint={m.orders_languages_hint()} error={errors.languages}>
				{languages.map((language, index) => (
					<MatrixRow
						key={language.code}
						name={language.name}
						isOnly={languages.length === 1}
						onRemove={() => remove(language.name, { languages: languages.toSpliced(index, 1) })}
					>
						<NameField
							label={m.orders_language_name({ code: language.code })}
							lang={language.code}
							value={language.name}
							error={errors[`languages.${index}.name`]}
							onRename={(name) => onChange({ languages: languages.with(index, { ...language, name }) })}
						/>
					</MatrixRow>
				))}
			</MatrixList>
			{languages.length < limits.editionLanguagesMax && (
				<AddLanguage form={form} onAdd={(language) => onChange({ languages: [...languages, language] })} />
			)}
			<MatrixList label={m.orders_parts()} hint={m.orders_parts_hint()} error={errors.parts}>
				{parts.map(({ number, name }, index) => (
					<MatrixRow
						key={number}
						name={partLabel(form, number)}
						isOnly={parts.length === 1}
						onRemove={() => remove(partLabel(form, number), { parts: parts.toSpliced(index, 1) })}
					>
						{locales.map((locale) => {
							const language = languageNameIn(ownLanguage(locale), getLocale());
							return (
								<NameField
									key={locale}
									label={m.orders_part_name({ part: number, language })}
									placeholder={m.reader_part({ part: number }, { locale })}
									lang={locale}
									value={name[locale]}
									error={errors[`parts.${index}.name.${locale}`]}
									onRename={(typed) =>
										onChange({ parts: parts.with(index, { number, name: { ...name, [locale]: typed } }) })
									}
								/>
							);
						})}
					</MatrixRow>
				))}
			</MatrixList>
			{newParts && (
				<div>
					<Button size="small" icon={IconPlus} onClick={() => onChange({ parts: newParts })}>
						{m.orders_part_add()}
					</Button>
				</div>
			)}
			{removal && (
				<ConfirmDialog
					onClose={() => setRemoval(undefined)}
					onConfirm={() => applyRemoval(removal.patch)}
					question={m.orders_edition_remove_question({ name: removal.name })}
					detail={<p>{m.orders_edition_remove_detail()}</p>}
					confirmLabel={m.orders_edition_remove()}
				/>
			)}
		</Stack>
	);
}

function MatrixList(props: { label: string; hint: string; error: string | undefined; children: ReactNode }) {
	const { label, hint, error, children } = props;
	return (
		<Stack component="section" gap={8} aria-label={label}>
			<Box component="h3" fz={14} fw={600}>
				{label}
			</Box>
			<p className={textClasses.note}>{hint}</p>
			<Stack component="ul" gap={12}>
				{children}
			</Stack>
			{error !== undefined && <Notice tone="negative">{error}</Notice>}
		</Stack>
	);
}

/** `isOnly`: whether this is the only part or language, which cannot be removed. */
function MatrixRow(props: { name: string; isOnly: boolean; onRemove: () => void; children: ReactNode }) {
	const { name, isOnly, onRemove, children } = props;
	return (
		<Flex component="li" gap={8} align="flex-end">
			<Box className={classes.pair} flex={1} miw={0}>
				{children}
			</Box>
			{!isOnly && <IconButton label={m.orders_remove_named({ name })} icon={IconTrash} onClick={onRemove} />}
		</Flex>
	);
}

interface NameFieldProps {
	label: string;
	placeholder?: string;
	lang: string;
	value: string;
	error: string | undefined;
	onRename: (name: string) => void;
}

function NameField({ onRename, ...field }: NameFieldProps) {
	return <TextField autoComplete="off" {...field} onChange={(event) => onRename(event.currentTarget.value)} />;
}

const otherValue = 'other';

function AddLanguage({ form, onAdd }: { form: BookSettingsForm; onAdd: (language: BookLanguage) => void }) {
	const addable = listAddableLanguages(form);
	const [isOther, setOther] = useState(false);
	const [code, setCode] = useState('');
	const [error, setError] = useState<string>();
	const choose = (value: string) => {
		setOther(value === otherValue);
		const language = addable.find((each) => each.code === value);
		if (language !== undefined) onAdd(language);
	};
	const addOther = () => {
		const typed = code.trim().toLowerCase();
		if (!bookLanguagePattern.test(typed)) return setError(m.error_language_code());
		if (form.languages.some((language) => language.code === typed)) return setError(m.error_language_twice());
		onAdd(ownLanguage(typed));
		setOther(false);
		setCode('');
	};
	return (
		<div className={classes.pair}>
			<SelectField
				label={m.orders_language_add()}
				value={isOther ? otherValue : ''}
				onChange={(event) => choose(event.currentTarget.value)}
				data={[
					{ value: '', label: m.orders_language_choose() },
					...addable.map((language) => ({ value: language.code, label: optionLabel(language) })),
					{ value: otherValue, label: m.orders_language_other() },
				]}
			/>
			{isOther && (
				<Flex gap={8} align="flex-end">
					<TextField
						flex={1}
						label={m.orders_language_code()}
						autoComplete="off"
						autoCapitalize="none"
						maxLength={8}
						value={code}
						error={error}
						onChange={(event) => {
							setCode(event.currentTarget.value);
							setError(undefined);
						}}
						onKeyDown={(event) => {
							if (event.key !== 'Enter') return;
							event.preventDefault();
							addOther();
						}}
					/>
					<Button onClick={addOther}>{m.orders_language_add_button()}</Button>
				</Flex>
			)}
		</div>
	);
}

function optionLabel(language: BookLanguage): string {
	const localized = languageNameIn(language, getLocale());
	return localized === language.name ? localized : `${localized} – ${language.name}`;
}
