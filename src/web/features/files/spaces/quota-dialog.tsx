import { Box, Flex } from '@mantine/core';
import { useState } from 'react';
import type { SpaceUsage } from '#contract/files/spaces.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { spaceName } from '../manager/file-breadcrumb.tsx';
import { formatMegabytes, parseMegabytes } from './storage-amounts.ts';

export function QuotaDialog({ space, onClose }: { space: SpaceUsage; onClose: () => void }) {
	const [typed, setTyped] = useState(() => formatMegabytes(space.quotaBytes));
	const [error, setError] = useState<string>();
	const setQuota = useChange(client.spaces.setQuota, {
		refetch: [api.spaces.list.key()],
		onSuccess: () => toastSuccess(m.files_quota_saved(), toastMs.filesSuccess),
		onError: ({ message }) => setError(message),
	});

	function submit(): void {
		const quotaBytes = parseMegabytes(typed);
		if (quotaBytes === undefined) setError(m.files_quota_invalid());
		else setQuota.mutate({ owner: space.email, quotaBytes }, { onSuccess: onClose });
	}

	return (
		<Dialog
			onClose={onClose}
			onSubmit={submit}
			title={m.files_quota_title()}
			width={440}
			submitButton={{
				label: setQuota.isPending ? m.files_saving() : m.files_save(),
				isBusy: setQuota.isPending,
			}}
		>
			<Flex direction="column" gap={16} maw={480} mt={12}>
				<Box component="bdi" fw={500} style={{ overflowWrap: 'anywhere' }}>
					{spaceName(space.email)}
				</Box>
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
			</Flex>
		</Dialog>
	);
}
