import { Flex, Group, Stack } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type TestPurchase, testMailPath } from '#contract/orders/test-purchase.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { sessionQuery } from '#web/platform/session/session.ts';
import { Button, ButtonAnchor, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';

/** The steps of the test purchase, each with its next action. Screen readers announce each change. */
export function TestPurchaseSteps({ purchase, onLeave }: { purchase: TestPurchase; onLeave: () => void }) {
	const complete = useChange(client.orders.complete, {
		refetch: [api.testPurchase.key(), api.orders.key()],
		isPendingUntilRefetched: true,
	});
	// Starting the view changes the user of the session. The refetch makes all open tabs reload.
	const view = useChange(client.viewAs.start, { refetch: [sessionQuery.queryKey], isPendingUntilRefetched: true });
	const { orderId, version, code, status, userId } = purchase;
	const isComplete = status === 'Complete';
	return (
		<Flex component="ol" direction="column" gap={16} aria-label={m.test_purchase_steps()} aria-live="polite">
			<Step
				isDone
				text={m.test_purchase_placed({ code })}
				action={
					<ButtonLink size="small" to="/Bookdashboard" search={{ search: code }} onClick={onLeave}>
						{m.test_purchase_see_order()}
					</ButtonLink>
				}
			/>
			<MailStep purchase={purchase} />
			<Step
				isDone={isComplete}
				text={isComplete ? m.test_purchase_is_complete() : m.test_purchase_pending()}
				action={
					!isComplete && (
						<Button
							size="small"
							variant="primary"
							disabled={complete.isPending}
							onClick={() => complete.mutate({ orders: [{ id: orderId, version }] })}
						>
							{m.test_purchase_complete()}
						</Button>
					)
				}
			/>
			<Step
				isDone={purchase.reading === 'ready'}
				text={readingTexts[purchase.reading]()}
				action={
					purchase.reading === 'ready' && (
						<Button size="small" disabled={view.isPending} onClick={() => view.mutate({ id: userId })}>
							{m.test_purchase_view()}
						</Button>
					)
				}
			/>
		</Flex>
	);
}

const readingTexts: Record<TestPurchase['reading'], () => string> = {
	locked: m.test_purchase_reading_locked,
	'no-edition': m.test_purchase_reading_no_edition,
	making: m.test_purchase_reading_making,
	ready: m.test_purchase_reading_ready,
	failed: m.test_purchase_reading_failed,
};

function MailStep({ purchase: { mails, email } }: { purchase: TestPurchase }) {
	const mail = mails.find(({ kind }) => kind === 'credentials');
	if (mail === undefined) return <Step isDone={false} text={m.test_purchase_mail_none()} />;
	const error = mail.error ?? '';
	const texts = {
		waiting: () =>
			error === '' ? m.test_purchase_mail_waiting({ email }) : m.test_purchase_mail_retry({ email, error }),
		sent: () => m.test_purchase_mail_sent({ email }),
		file: () => m.test_purchase_mail_file({ email }),
		failed: () => m.test_purchase_mail_failed({ email, error }),
	};
	return (
		<Step
			isDone={mail.state === 'sent'}
			text={texts[mail.state]()}
			action={
				mail.state === 'file' && (
					<ButtonAnchor size="small" href={testMailPath(mail.id)} download>
						{m.test_purchase_open_mail()}
					</ButtonAnchor>
				)
			}
		/>
	);
}

function Step({ isDone, text, action }: { isDone: boolean; text: string; action?: ReactNode }) {
	const StateIcon = isDone ? IconCircleCheck : IconCircleDashed;
	return (
		<Flex component="li" gap={12} align="flex-start">
			<StateIcon {...iconProps} color={isDone ? 'var(--positive)' : 'var(--muted)'} style={{ marginTop: 2 }} />
			<Stack gap={8} miw={0} flex={1} style={{ overflowWrap: 'anywhere' }}>
				<p>
					<span className={textClasses.hidden}>
						{isDone ? m.test_purchase_step_done() : m.test_purchase_step_open()}:{' '}
					</span>
					<span>{text}</span>
				</p>
				{action && <Group gap={8}>{action}</Group>}
			</Stack>
		</Flex>
	);
}
