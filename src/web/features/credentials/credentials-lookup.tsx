import { Group, Stack } from '@mantine/core';
import { type Credential, credentialFields } from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import type { Failure } from '#web/platform/api/failure.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './credentials.module.css';
import { CopyFieldButton, CredentialInputs, fieldLabels, useCredentialForm } from './credentials-fields.tsx';

/** Returns the server's message for status 4xx, for example after too many lookups; otherwise a general message. */
function lookupErrorText({ status, message }: Failure): string {
	return status >= 400 && status < 500 ? message : m.credentials_wrong();
}

/** Finds a record by username and state and shows all its fields. */
export function CredentialsLookup() {
	const lookup = useChange(client.credentials.search, { onError: shownInForm });
	const { failure } = lookup;
	const empty = { username: '', state: '' };
	const { typed, setTyped, isIncomplete, errors, submit } = useCredentialForm(empty, lookup, lookup.mutate);

	// Clears the result of the previous input.
	const type = (next: typeof typed) => {
		setTyped(next);
		if (!lookup.isIdle) lookup.reset();
	};

	return (
		<>
			<form onSubmit={submit} noValidate>
				<Stack gap={16}>
					<CredentialInputs typed={typed} errors={errors} onChange={type} />
					<Button type="submit" variant="primary" isFullWidth disabled={lookup.isPending}>
						{lookup.isPending ? m.credentials_searching() : m.credentials_search()}
					</Button>
					{isIncomplete && <Notice tone="negative">{m.credentials_fill()}</Notice>}
					{failure !== undefined && <Notice tone="negative">{lookupErrorText(failure)}</Notice>}
					{lookup.data?.found === false && <Notice tone="negative">{m.credentials_not_matched()}</Notice>}
				</Stack>
			</form>
			<div role="status">{lookup.data?.data && <Result credential={lookup.data.data} />}</div>
		</>
	);
}

function Result({ credential }: { credential: Credential }) {
	return (
		<section className={classes.result} aria-label={m.credentials_result()}>
			<dl>
				{credentialFields.map((field) => (
					<div key={field} className={classes.fact}>
						<dt>{fieldLabels[field]()}</dt>
						<Group component="dd" justify="space-between" gap={8} wrap="nowrap" mih="var(--control)">
							<span className={classes.value} data-field={field}>
								{credential[field]}
							</span>
							<CopyFieldButton field={field} value={credential[field]} />
						</Group>
					</div>
				))}
			</dl>
		</section>
	);
}
