import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { FieldGroup } from '#web/ui/forms/field.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { useBookTitle, useEditor } from '../editor/editor-context.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import { LocalizedField, TitledTextInputs } from '../fields/text-fields.tsx';

export function PurchaseSection() {
	const locale = { locale: useEditor().language };
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
					m.landing_step_pay({}, locale),
					m.landing_step_submit({}, locale),
					m.landing_step_login({}, locale),
				]}
			/>
			<p className={textClasses.note}>
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
					{value.map((step, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: the number of steps is fixed.
						<FieldGroup key={index} legend={m.editor_step({ number: index + 1 })}>
							<TitledTextInputs
								value={step}
								onChange={(patch) => change(value.with(index, { ...step, ...patch }))}
								errors={errors}
								path={`${index}.`}
								defaultTitle={defaultTitles[index]}
							/>
						</FieldGroup>
					))}
				</Stack>
			)}
		</FieldFrame>
	);
}
