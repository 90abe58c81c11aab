import { m } from '#messages';
import { useEditor, useField } from '../editor/editor-context.ts';
import { FieldFrame, type Texts } from '../fields/field-frame.tsx';
import { ListField } from '../fields/list-field.tsx';
import { MarkdownInput } from '../fields/markdown-field.tsx';
import { LocalizedField, TextsInput, TitledTextInputs } from '../fields/text-fields.tsx';

const noTexts = { en: '', hi: '' };

export function BenefitsSection() {
	const { language } = useEditor();
	return (
		<>
			<LocalizedField field="benefits.heading" placeholder={m.landing_gain_title({}, { locale: language })} />
			<LocalizedField field="benefits.lead" isMultiline />
			<FieldFrame field="benefits.items" isGroup>
				{(input) => (
					<ListField
						{...input}
						nameOf={({ title }) => inAnyLanguage(title, language)}
						minCount={1}
						maxCount={9}
						addLabel={m.editor_benefit_add()}
						newItem={{ title: noTexts, text: noTexts }}
					>
						{(item, changeItem, path) => (
							<TitledTextInputs value={item} onChange={changeItem} errors={input.errors} path={path} />
						)}
					</ListField>
				)}
			</FieldFrame>
		</>
	);
}

export function ExcerptsSection() {
	const { language, reveal } = useEditor();
	return (
		<>
			<LocalizedField
				field="excerpts.heading"
				placeholder={m.landing_excerpts({ count: useField('excerpts.items').value.length }, { locale: language })}
			/>
			<FieldFrame field="excerpts.items" hint={m.editor_excerpts_hint()} isGroup>
				{(input) => (
					<ListField
						{...input}
						nameOf={({ title, label }) =>
							[label, title]
								.map((texts) => inAnyLanguage(texts, language))
								.filter(Boolean)
								.join(': ')
						}
						maxCount={6}
						addLabel={m.editor_excerpt_add()}
						newItem={{
							label: noTexts,
							shortLabel: noTexts,
							title: noTexts,
							lead: noTexts,
							text: noTexts,
							note: noTexts,
						}}
						onOpen={({ id }) => reveal(`#excerpt-${id}`)}
					>
						{(item, changeItem, path) => {
							const textsInput = (
								part: 'label' | 'shortLabel' | 'title' | 'lead' | 'note',
								label: string,
								placeholder = '',
							) => (
								<TextsInput
									label={label}
									placeholder={placeholder}
									texts={item[part]}
									onChange={(texts) => changeItem({ [part]: texts })}
									errors={input.errors}
									path={`${path}${part}.`}
									isMultiline={part === 'lead'}
								/>
							);
							return (
								<>
									{textsInput('title', m.editor_item_title())}
									{textsInput('label', m.editor_item_label(), m.editor_item_label_example({}, { locale: language }))}
									{textsInput(
										'shortLabel',
										m.editor_item_short_label(),
										m.editor_item_short_label_example({}, { locale: language }),
									)}
									{textsInput('lead', m.editor_item_lead())}
									<MarkdownInput
										label={m.editor_item_text()}
										text={item.text[language]}
										onChange={(edit) =>
											changeItem(({ text }) => ({ text: { ...text, [language]: edit(text[language]) } }))
										}
										error={input.errors[`${path}text.${language}`]}
									/>
									{textsInput('note', m.editor_item_note())}
								</>
							);
						}}
					</ListField>
				)}
			</FieldFrame>
		</>
	);
}

function inAnyLanguage(texts: Texts, preferred: keyof Texts): string {
	return texts[preferred] || texts.en || texts.hi;
}
