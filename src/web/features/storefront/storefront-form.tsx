import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useSaveStorefront, useStorefront } from './storefront.api.ts';
import { type Form, type Saved, type StorefrontFieldsProps, theirsBeside } from './storefront-fields.ts';
import classes from './storefront-form.module.css';
import { LegalFields } from './storefront-legal.tsx';
import { LinkFields } from './storefront-links.tsx';

/** Everything that visitors see beside the book: links, contact, fine print. */
export function StorefrontForm() {
	const storefront = useStorefront();
	if (storefront.data !== undefined)
		return <Fields saved={storefront.data} lookAgain={async () => (await storefront.refetch()).data} />;
	return (
		<Section title={m.storefront_links()}>
			{storefront.isError ? (
				<FailedQuery text={m.storefront_load_failed()} query={storefront} />
			) : (
				<div className={classes.fields} role="status" aria-label={m.common_loading()}>
					<Skeleton height="56px" />
					<Skeleton height="56px" />
					<Skeleton height="160px" />
				</div>
			)}
		</Section>
	);
}

interface FieldsProps {
	saved: Saved;
	/** Asks for the settings as they stand now. */
	lookAgain: () => Promise<Saved | undefined>;
}

/** What somebody else saved stands there at once, unless one is typing: then a save tells. */
function Fields({ saved, lookAgain }: FieldsProps) {
	const [draft, setDraft] = useState<Saved>();
	const [theirs, setTheirs] = useState<Form>();
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [refusal, setRefusal] = useState<string>();
	const save = useSaveStorefront();
	const form = draft ?? saved;

	const change = (patch: Partial<Form>) => {
		setDraft({ ...form, ...patch });
		const isUntouched = ([path]: [string, string]) => !Object.keys(patch).some((field) => path.startsWith(field));
		setErrors(Object.fromEntries(Object.entries(errors).filter(isUntouched)));
	};
	const hearRefusal = async (error: Error) => {
		const failure = describeFailure(error);
		setErrors(failure.fields);
		setRefusal(failure.message);
		if (failure.code !== 'STALE') return;
		// Having seen what stands there now, the next save is meant.
		const now = await lookAgain();
		if (now === undefined) return;
		setTheirs(now);
		setDraft({ ...form, version: now.version });
	};
	const forget = () => {
		setDraft(undefined);
		setTheirs(undefined);
		setErrors({});
	};
	function submit(event: FormEvent): void {
		event.preventDefault();
		setRefusal(undefined);
		save.mutate(form, {
			onSuccess: () => void lookAgain().then(forget),
			onError: (error) => void hearRefusal(error),
		});
	}
	const fields: StorefrontFieldsProps = { form, errors, theirs, onChange: change };

	return (
		<form className={classes.form} onSubmit={submit} noValidate>
			<Section title={m.storefront_links()} intro={m.storefront_links_intro()}>
				<LinkFields {...fields} />
			</Section>
			<Section title={m.storefront_contact()}>
				<div className={classes.fields}>
					<ContactField {...fields} field="chatUrl" label={m.storefront_chat()} hint={m.storefront_chat_hint()} />
					<ContactField
						{...fields}
						field="contactEmail"
						label={m.storefront_email()}
						hint={m.storefront_email_hint()}
					/>
				</div>
			</Section>
			<Section title={m.storefront_legal()} intro={m.storefront_legal_intro()}>
				<LegalFields {...fields} />
			</Section>
			{refusal !== undefined && <Notice tone="negative">{refusal}</Notice>}
			<div>
				<Button type="submit" variant="primary" disabled={save.isPending}>
					{save.isPending ? m.storefront_saving() : m.storefront_save()}
				</Button>
			</div>
		</form>
	);
}

interface ContactFieldProps extends StorefrontFieldsProps {
	field: 'chatUrl' | 'contactEmail';
	label: string;
	hint: string;
}

function ContactField({ form, errors, theirs, onChange, field, label, hint }: ContactFieldProps) {
	return (
		<TextField
			label={label}
			description={theirsBeside(form[field], theirs?.[field]) ?? hint}
			name={field}
			autoComplete="off"
			value={form[field]}
			error={errors[field]}
			onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
		/>
	);
}
