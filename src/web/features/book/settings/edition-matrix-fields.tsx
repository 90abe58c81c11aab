import { Flex, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import {
	type BookLanguage,
	type BookPart,
	bookLanguage,
	languageNameIn,
	ownLanguageName,
} from '#contract/book/editions.ts';
import { limits } from '#contract/core/limits.ts';
import { type Locale, languageNames, locales } from '#contract/core/text.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { SelectField, TextField } from '#web/ui/forms/field.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './book-settings-dialog.module.css';
import type { BookSettingsFieldsProps } from './book-settings-fields.tsx';
import {
	type BookSettingsForm,
	listAddableLanguages,
	listAssignedEditions,
	withNewPart,
} from './book-settings-form.ts';

/** A part or language to remove, after a question if one of its editions has a file. */
interface Removal {
	name: string;
	patch: Partial<BookSettingsForm>;
}

/** The parts and languages of the book: names, order of the languages, adding and removing. */
export function EditionMatrixFields({ form, errors, theirs, onChange }: BookSettingsFieldsProps) {
	const [removal, setRemoval] = useState<Removal>();
	const box = useRef<HTMLDivElement>(null);
	const applyRemoval = (patch: Removal['patch']) => {
		onChange(patch);
		setRemoval(undefined);
		// The removed button had the focus. The dialog of the question returns the focus first.
		requestAnimationFrame(() => box.current?.focus({ preventScroll: true }));
	};
	const remove = (next: Removal, of: Parameters<typeof listAssignedEditions>[1]) =>
		listAssignedEditions(form, of).length > 0 ? setRemoval(next) : applyRemoval(next.patch);
	const removePart = ({ number }: BookPart, name: string) => {
		const parts = form.parts.filter((part) => part.number !== number);
		remove({ name, patch: { parts } }, { part: number });
	};
	const removeLanguage = ({ code, name }: BookLanguage) => {
		const languages = form.languages.filter((language) => language.code !== code);
		remove({ name, patch: { languages } }, { language: code });
	};
	const newParts = withNewPart(form);
	const isChangedByOther =
		theirs !== undefined &&
		JSON.stringify([theirs.parts, theirs.languages]) !== JSON.stringify([form.parts, form.languages]);
	return (
		<Stack ref={box} gap={20} pt={4} role="group" tabIndex={-1} aria-label={m.orders_parts_and_languages()}>
			{isChangedByOther && <p className={textClasses.note}>{m.orders_matrix_changed()}</p>}
			<MatrixList label={m.orders_languages()} hint={m.orders_languages_hint()} error={errors.languages}>
				{form.languages.map((language, index) => (
					<LanguageRow
						key={language.code}
						language={language}
						error={errors[`languages.${index}.name`]}
						onRename={(name) =>
							onChange({
								languages: form.languages.map((each) => (each.code === language.code ? { ...each, name } : each)),
							})
						}
						onRemove={form.languages.length > 1 ? () => removeLanguage(language) : undefined}
					/>
				))}
			</MatrixList>
			{form.languages.length < limits.editionLanguagesMax && (
				<AddLanguage form={form} onAdd={(language) => onChange({ languages: [...form.languages, language] })} />
			)}
			<MatrixList label={m.orders_parts()} hint={m.orders_parts_hint()} error={errors.parts}>
				{form.parts.map((part, index) => (
					<PartRow
						key={part.number}
						part={part}
						errorOf={(locale) => errors[`parts.${index}.name.${locale}`]}
						onRename={(name) =>
							onChange({ parts: form.parts.map((each) => (each.number === part.number ? { ...each, name } : each)) })
						}
						onRemove={form.parts.length > 1 ? (name) => removePart(part, name) : undefined}
					/>
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

interface MatrixListProps {
	label: string;
	hint: string;
	error: string | undefined;
	children: ReactNode;
}

function MatrixList({ label, hint, error, children }: MatrixListProps) {
	return (
		<Stack component="section" gap={8} aria-label={label}>
			<h3 className={classes.matrixTitle}>{label}</h3>
			<p className={textClasses.note}>{hint}</p>
			<ul className={classes.matrix}>{children}</ul>
			{error !== undefined && <Notice tone="negative">{error}</Notice>}
		</Stack>
	);
}

interface LanguageRowProps {
	language: BookLanguage;
	error: string | undefined;
	onRename: (name: string) => void;
	/** Undefined for the last language. */
	onRemove: (() => void) | undefined;
}

function LanguageRow({ language: { code, name }, error, onRename, onRemove }: LanguageRowProps) {
	return (
		<Flex component="li" gap={8} align="flex-end">
			<TextField
				flex={1}
				label={m.orders_language_name({ code })}
				lang={code}
				autoComplete="off"
				value={name}
				error={error}
				onChange={(event) => onRename(event.currentTarget.value)}
			/>
			{onRemove && <IconButton label={m.orders_remove_named({ name })} icon={IconTrash} onClick={onRemove} />}
		</Flex>
	);
}

interface PartRowProps {
	part: BookPart;
	errorOf: (locale: Locale) => string | undefined;
	onRename: (name: BookPart['name']) => void;
	/** Undefined for the last part. */
	onRemove: ((name: string) => void) | undefined;
}

function PartRow({ part: { number, name }, errorOf, onRename, onRemove }: PartRowProps) {
	const shownName = name[getLocale()] || m.reader_part({ part: number });
	return (
		<Flex component="li" gap={8} align="flex-end">
			<div className={`${classes.pair} ${classes.grow}`}>
				{locales.map((locale) => (
					<TextField
						key={locale}
						label={m.orders_part_name({ part: number, language: localeName(locale) })}
						placeholder={m.reader_part({ part: number }, { locale })}
						lang={locale}
						autoComplete="off"
						value={name[locale]}
						error={errorOf(locale)}
						onChange={(event) => onRename({ ...name, [locale]: event.currentTarget.value })}
					/>
				))}
			</div>
			{onRemove && (
				<IconButton
					label={m.orders_remove_named({ name: shownName })}
					icon={IconTrash}
					onClick={() => onRemove(shownName)}
				/>
			)}
		</Flex>
	);
}

function localeName(code: Locale): string {
	return languageNameIn({ code, name: languageNames[code] }, getLocale());
}

const otherValue = 'other';

/** Adds a language of the list, or another one by its code. */
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
		if (!bookLanguage.safeParse(typed).success) return setError(m.error_language_code());
		if (form.languages.some((language) => language.code === typed)) return setError(m.error_language_twice());
		onAdd(
			addable.find((language) => language.code === typed) ?? { code: typed, name: ownLanguageName(typed) ?? typed },
		);
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
