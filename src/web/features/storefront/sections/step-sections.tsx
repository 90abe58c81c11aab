import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { FieldGroup } from '#web/ui/forms/field.tsx';
import { useBookTitle, useEditor } from '../editor/editor-context.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import { LocalizedField, TextsInput } from '../fields/text-fields.tsx';
import classes from './sections.module.css';

export function PurchaseSection() {
	const { language } = useEditor();
	const inLanguage = { locale: language };
	return (
		<>
			<LocalizedField
				field="purchase.heading"
				hint={m.editor_purchase_heading_hint()}
				placeholder={useBookTitle() ?? ''}
			/>
			<LocalizedField field="purchase.lead" isMultiline hint={m.editor_purchase_lead_hint()} />
			<StepsField
				field="purchase.steps"
				hint={m.editor_purchase_steps_hint()}
				defaultTitles={[
					m.landing_step_pay({}, inLanguage),
					m.landing_step_submit({}, inLanguage),
					m.landing_step_login({}, inLanguage),
				]}
			/>
			<p className={classes.note}>
				{m.editor_purchase_settings()} <Link to="/Bookdashboard">{m.editor_purchase_settings_link()}</Link>
			</p>
		</>
	);
}

export function HowSection() {
	const { language } = useEditor();
	return (
		<>
			<LocalizedField field="how.heading" placeholder={m.landing_how_title({}, { locale: language })} />
			<StepsField field="how.steps" hint={m.editor_how_steps_hint({ price: '{price}' })} />
		</>
	);
}

interface StepsFieldProps {
	field: 'purchase.steps' | 'how.steps';
	hint: string;
	/** What the page shows for steps without a title. */
	defaultTitles?: readonly string[];
}

function StepsField({ field, hint, defaultTitles = [] }: StepsFieldProps) {
	return (
		<FieldFrame field={field} hint={hint} isGroup>
			{({ value, change, errors }) => (
				<Stack gap={16}>
					{value.map(({ title, text }, index) => {
						const changeStep = (patch: Partial<(typeof value)[number]>) =>
							change(value.map((step, at) => (at === index ? { ...step, ...patch } : step)));
						return (
							// biome-ignore lint/suspicious/noArrayIndexKey: the number of steps is fixed.
							<FieldGroup key={index} legend={m.editor_step({ number: index + 1 })}>
								<TextsInput
									label={m.editor_item_title()}
									texts={title}
									onChange={(texts) => changeStep({ title: texts })}
									errors={errors}
									path={`${index}.title.`}
									placeholder={defaultTitles[index] ?? ''}
								/>
								<TextsInput
									isMultiline
									label={m.editor_item_text()}
									texts={text}
									onChange={(texts) => changeStep({ text: texts })}
									errors={errors}
									path={`${index}.text.`}
								/>
							</FieldGroup>
						);
					})}
				</Stack>
			)}
		</FieldFrame>
	);
}
