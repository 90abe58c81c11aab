import { type FormEvent, useState } from 'react';
import type { SpaceUsage } from '#contract/files/spaces.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import classes from './files-settings.module.css';
import { useSetQuota } from './spaces-api.ts';
import { formatMegabytes, parseMegabytes } from './storage-amounts.ts';

interface QuotaDialogProps {
	space: SpaceUsage;
	name: string;
	onClose: () => void;
}

/** Sets the quota of one space. Mount it to open it. */
export function QuotaDialog({ space, name, onClose }: QuotaDialogProps) {
	const [typed, setTyped] = useState(() => formatMegabytes(space.quotaBytes));
	const [error, setError] = useState<string>();
	const setQuota = useSetQuota();

	function submit(event: FormEvent): void {
		event.preventDefault();
		const quotaBytes = parseMegabytes(typed);
		if (quotaBytes === undefined) {
			setError(m.files_quota_invalid());
			return;
		}
		setQuota.mutate(
			{ owner: space.email, quotaBytes },
			{ onSuccess: onClose, onError: (reason) => setError(describeFailure(reason).message) },
		);
	}

	return (
		<Dialog
			isOpen
			onClose={onClose}
			onSubmit={submit}
			title={m.files_quota_title()}
			width={440}
			footer={
				<>
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button variant="primary" type="submit" disabled={setQuota.isPending}>
						{setQuota.isPending ? m.files_saving() : m.files_save()}
					</Button>
				</>
			}
		>
			<div className={classes.fields}>
				<bdi className={classes.name}>{name}</bdi>
				<TextField
					label={m.files_quota_field()}
					description={m.files_quota_hint()}
					inputMode="decimal"
					autoComplete="off"
					data-autofocus
					value={typed}
					error={error}
					onChange={({ currentTarget }) => {
						setTyped(currentTarget.value);
						setError(undefined);
					}}
				/>
			</div>
		</Dialog>
	);
}
