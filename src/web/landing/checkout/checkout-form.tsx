import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type CheckoutField, checkoutFields, checkoutPath } from '#contract/orders/checkout-form.ts';
import type { LandingForm, SubmittedOrder } from '#contract/storefront/landing.ts';
import type { CheckoutTexts } from './checkout-texts.ts';
import { type CheckoutErrors, validateCheckout, validateField } from './checkout-validation.ts';
import { ScreenshotField } from './screenshot-field.tsx';
import { sendCheckout } from './send-checkout.ts';
import { FieldError, TextField, type TextFieldName } from './text-field.tsx';

const textFields: readonly TextFieldName[] = ['name', 'phone', 'email', 'upiId', 'utr'];

interface CheckoutFormProps {
	form: LandingForm;
	texts: CheckoutTexts;
	onDone: (message: string, order: SubmittedOrder | null) => void;
	onFailed: (message: string) => void;
}

/** The form also works without JavaScript. The fields are uncontrolled and keep their input after an error. */
export function CheckoutForm({ form, texts, onDone, onFailed }: CheckoutFormProps) {
	const element = useRef<HTMLFormElement>(null);
	const isSending = useRef(false);
	const [isSubmitting, setSubmitting] = useState(false);
	const [errors, setErrors] = useState<CheckoutErrors>(form.errors);
	const [problem, setProblem] = useState(() => problemText(form, texts));
	const [file, setFile] = useState<File | null>(null);
	const [fieldToFocus, setFieldToFocus] = useState<CheckoutField | 'submit' | null>(null);

	// The visitor may have chosen a file before the script was loaded.
	useEffect(() => {
		const input = element.current?.elements.namedItem('screenshot');
		if (input instanceof HTMLInputElement) setFile(input.files?.[0] ?? null);
	}, []);

	useEffect(() => {
		if (!fieldToFocus) return;
		document.getElementById(`purchase-${fieldToFocus}`)?.focus();
		setFieldToFocus(null);
	}, [fieldToFocus]);

	const showErrors = (newErrors: CheckoutErrors) => {
		setErrors(newErrors);
		setFieldToFocus(checkoutFields.find((field) => newErrors[field] !== undefined) ?? null);
	};

	const submit = async (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		// The visitor may press the button again before it is disabled.
		if (isSending.current) return;
		const data = new FormData(event.currentTarget);
		const validationErrors = validateCheckout(data, texts);
		setProblem(null);
		if (Object.keys(validationErrors).length > 0) return showErrors(validationErrors);
		setErrors({});
		isSending.current = true;
		setSubmitting(true);
		const result = await sendCheckout(data, texts.failed);
		isSending.current = false;
		setSubmitting(false);
		if (result.kind === 'done') return onDone(result.message, result.order);
		if (result.kind === 'refused') return showErrors(result.errors);
		const isUnreachable = result.kind === 'unreachable';
		setProblem(isUnreachable ? texts.unreachable : texts.kept);
		// The button lost the focus because it was disabled.
		setFieldToFocus('submit');
		onFailed(isUnreachable ? texts.failed : result.message);
	};

	const recheck = (event: FormEvent<HTMLFormElement>) => {
		const input = event.target;
		if (!(input instanceof HTMLInputElement)) return;
		const field = checkoutFields.find((name) => name === input.name);
		if (!field) return;
		const data = new FormData(event.currentTarget);
		const isPicture = field === 'screenshot';
		if (isPicture) setFile(input.files?.[0] ?? null);
		if (isPicture || errors[field]) setErrors((before) => ({ ...before, [field]: validateField(field, data, texts) }));
	};

	return (
		<form
			ref={element}
			className="purchase-form"
			method="post"
			action={`${checkoutPath}#submit-details`}
			encType="multipart/form-data"
			noValidate
			aria-labelledby="submit-title"
			onSubmit={submit}
			onChange={recheck}
		>
			<div className="fields">
				{textFields.map((name) => (
					<TextField
						key={name}
						name={name}
						form="purchase"
						texts={texts.fields[name]}
						defaultValue={form.values[name]}
						error={errors[name]}
					/>
				))}
				<ScreenshotField
					texts={texts.screenshot}
					file={file}
					error={errors.screenshot}
					onUnreadable={(unreadable) => {
						if (unreadable !== file) return;
						setErrors((before) => ({ ...before, screenshot: texts.errors.screenshotNotImage }));
					}}
				/>
			</div>
			{problem && <FieldError text={problem} className="form-problem" />}
			<button id="purchase-submit" type="submit" className="button button-primary button-large" disabled={isSubmitting}>
				{isSubmitting ? texts.submitting : texts.submit}
			</button>
			<p className="caption submit-note">{texts.submitNote}</p>
		</form>
	);
}

/** For a rejected form that was sent without JavaScript. Asks for the file again, because the browser has lost it. */
function problemText({ outcome, message, errors }: LandingForm, texts: CheckoutTexts): string | null {
	if (outcome !== 'failed' && Object.keys(errors).length === 0) return null;
	return `${message ?? ''} ${texts.chooseAgain}`.trim();
}
