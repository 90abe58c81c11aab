import { type FormEvent, useState } from 'react';
import type { SpaceUse } from '#contract/files/spaces.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useSetQuota } from './storage.api.ts';
import { bytesOf, megabytesOf } from './storage-numbers.ts';
import classes from './storage-settings.module.css';

interface QuotaDialogProps {
	space: SpaceUse;
	name: string;
	onClose: () => void;
}

/** Sets what one space may hold. Mount it to open it. */
export function QuotaDialog({ space, name, onClose }: QuotaDialogProps) {
	const [typed, setTyped] = useState(() => megabytesOf(space.quotaBytes));
	const [error, setError] = useState<string>();
	const setQuota = useSetQuota();

	function submit(event: FormEvent): void {
		event.preventDefault();
		const quotaBytes = bytesOf(typed);
		if (quotaBytes === undefined) {
			setError(m.files_quota_bad());
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
			foot={
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
