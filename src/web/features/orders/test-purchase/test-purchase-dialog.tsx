import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TestPurchase } from '#contract/orders/test-purchase.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { TestPurchaseSteps } from './test-purchase-steps.tsx';

const pollMs = 2000;

/** Whether the server is still working on a step. Not every such change is published to admins. */
function isWorking({ mails, reading }: TestPurchase): boolean {
	return reading === 'making' || mails.some(({ state }) => state === 'waiting');
}

/** Makes a test purchase, shows its steps as they happen, and removes it. */
export function TestPurchaseDialog({ onClose }: { onClose: () => void }) {
	const query = useQuery({
		...api.testPurchase.get.queryOptions(),
		staleTime: 0,
		refetchInterval: ({ state }) => (state.data?.purchase && isWorking(state.data.purchase) ? pollMs : false),
	});
	const purchase = query.data?.purchase;
	if (purchase) return <CurrentPurchase purchase={purchase} onClose={onClose} />;
	if (purchase === null) return <NewPurchase onClose={onClose} />;
	return (
		<Dialog title={m.test_purchase()} onClose={onClose}>
			{query.isError ? <FailedQuery text={m.test_purchase_failed()} query={query} /> : <Skeleton height="120px" />}
		</Dialog>
	);
}

const refetch = [api.testPurchase.key(), api.orders.key(), api.people.key()];

function NewPurchase({ onClose }: { onClose: () => void }) {
	const [email, setEmail] = useState('');
	const start = useChange(client.testPurchase.start, { refetch, onError: shownInForm });
	const { failure } = start;
	return (
		<Dialog
			title={m.test_purchase()}
			onClose={onClose}
			isDirty={email !== ''}
			onSubmit={() => start.mutate({ email })}
			submitButton={{
				label: start.isPending ? m.test_purchase_starting() : m.test_purchase_start(),
				isBusy: start.isPending,
			}}
		>
			<Stack gap={16}>
				<p>{m.test_purchase_intro()}</p>
				{failure !== undefined && failure.fields.email === undefined && (
					<Notice tone="negative">{failure.message}</Notice>
				)}
				<TextField
					label={m.test_purchase_email()}
					description={m.test_purchase_email_hint()}
					type="email"
					name="email"
					autoComplete="off"
					data-autofocus
					value={email}
					error={failure?.fields.email}
					onChange={(event) => setEmail(event.currentTarget.value)}
				/>
			</Stack>
		</Dialog>
	);
}

function CurrentPurchase({ purchase, onClose }: { purchase: TestPurchase; onClose: () => void }) {
	const remove = useChange(client.testPurchase.remove, {
		refetch,
		onSuccess: () => {
			toastSuccess(m.test_purchase_removed());
			onClose();
		},
	});
	return (
		<Dialog
			title={m.test_purchase()}
			onClose={onClose}
			footer={
				<>
					{/* Not where the start button was, so that a double click does not remove the new purchase. */}
					<Button
						variant="danger"
						style={{ marginInlineEnd: 'auto' }}
						disabled={remove.isPending}
						onClick={() => remove.mutate({})}
					>
						{remove.isPending ? m.test_purchase_removing() : m.test_purchase_remove()}
					</Button>
					<Button onClick={onClose}>{m.common_close()}</Button>
				</>
			}
		>
			<TestPurchaseSteps purchase={purchase} onLeave={onClose} />
		</Dialog>
	);
}
