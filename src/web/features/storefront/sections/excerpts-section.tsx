import { m } from '#messages';
import { useEditor, useField } from '../editor/editor-context.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import { ListField } from '../fields/list-field.tsx';
import { MarkdownInput } from '../fields/markdown-field.tsx';
import { LocalizedField, TextsInput } from '../fields/text-fields.tsx';

const noTexts = { en: '', hi: '' };
const excerptsMax = 6;

export function ExcerptsSection() {
	const { language, reveal } = useEditor();
	return (
		<>
			<LocalizedField
				field="excerpts.heading"
				placeholder={m.landing_excerpts({ count: useField('excerpts.items').value.length }, { locale: language })}
			/>
			<FieldFrame field="excerpts.items" hint={m.editor_excerpts_hint()} isGroup>
				{({ value, change, errors }) => (
					<ListField
						items={value}
						onChange={change}
						nameOf={({ title, label }) =>
							[label, title]
								.map((texts) => texts[language] || texts.en || texts.hi)
								.filter(Boolean)
								.join(': ')
						}
						errors={errors}
						maxCount={excerptsMax}
						addLabel={m.editor_excerpt_add()}
						createItem={(id) => ({
							id,
							label: noTexts,
							shortLabel: noTexts,
							title: noTexts,
							lead: noTexts,
							text: noTexts,
							note: noTexts,
						})}
						onOpen={({ id }) => reveal(`#excerpt-${id}`)}
					>
						{(item, changeItem, path) => {
							const input = (part: 'label' | 'shortLabel' | 'title' | 'lead' | 'note', label: string) => (
								<TextsInput
									label={label}
									texts={item[part]}
									onChange={(texts) => changeItem({ [part]: texts })}
									errors={errors}
									path={`${path}${part}.`}
									isMultiline={part === 'lead'}
								/>
							);
							return (
								<>
									{input('title', m.editor_item_title())}
									{input('label', m.editor_item_label())}
									{input('shortLabel', m.editor_item_short_label())}
									{input('lead', m.editor_item_lead())}
									<MarkdownInput
										label={m.editor_item_text()}
										texts={item.text}
										onChange={(texts) => changeItem({ text: texts })}
										onInsert={(insert) =>
											change((current) =>
												current.map((other) => (other.id === item.id ? { ...other, text: insert(other.text) } : other)),
											)
										}
										error={errors[`${path}text.${language}`]}
									/>
									{input('note', m.editor_item_note())}
								</>
							);
						}}
					</ListField>
				)}
			</FieldFrame>
		</>
	);
}
