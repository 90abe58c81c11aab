import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type LegalPage, legalPages } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { defaultLegalText } from '#web/platform/formats/legal-text.ts';
import { fieldError } from '#web/ui/forms/field.tsx';
import { useBookTitle, useEditor, useField } from '../editor/editor-context.ts';
import { FieldFrame, type FieldInput } from '../fields/field-frame.tsx';

/** The legal texts. The default text is edited in place, and is stored only when it was changed. */
export function LegalSection() {
	const title = useBookTitle();
	const offered = useQuery(api.bookSettings.editionPlaces.queryOptions()).data?.offered;
	const { language } = useEditor();
	const excerpts = useField('excerpts.items').value.length;
	const template = useField('template').value;
	return legalPages.map((page) => (
		<FieldFrame key={page} field={`legal.${page}`} hint={m.editor_legal_hint()}>
			{(input) => (
				<LegalInput
					{...input}
					page={page}
					defaultText={
						title === undefined || offered === undefined
							? undefined
							: defaultLegalText(page, { locale: language, title, offered, excerpts, template })
					}
				/>
			)}
		</FieldFrame>
	));
}

interface LegalInputProps extends FieldInput<`legal.${LegalPage}`> {
	page: LegalPage;
	/** Undefined until the settings of the book have loaded. */
	defaultText: string | undefined;
}

function LegalInput({ page, defaultText, inputProps, value, change, errors }: LegalInputProps) {
	const { language } = useEditor();
	/** Whether the admin has deleted the whole text to write another one. */
	const [isEmptied, setEmptied] = useState(false);
	const own = value[language];
	const other = value[language === 'en' ? 'hi' : 'en'];
	const isDefault = own === '' && other === '' && !isEmptied;
	return (
		<>
			<Textarea
				{...inputProps}
				lang={language}
				autosize
				minRows={6}
				maxRows={24}
				disabled={defaultText === undefined}
				value={isDefault ? (defaultText ?? '') : own}
				placeholder={other.slice(0, 400)}
				error={fieldError(errors[language] ?? inputProps.error)}
				onBlur={() => setEmptied(false)}
				onChange={({ currentTarget }) => {
					setEmptied(currentTarget.value === '');
					change({ ...value, [language]: currentTarget.value === defaultText ? '' : currentTarget.value });
				}}
			/>
			<a href={`/${page}`} target="_blank" rel="noopener">
				{m.editor_see_page()}
			</a>
		</>
	);
}
