import { Flex } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { type FormEventHandler, type ReactNode, useState } from 'react';
import { m } from '#messages';
import { usePreservedScreen } from '#web/platform/session/session.ts';
import { useReturnFocus } from '../hooks/focus.ts';
import { useEscape } from '../hooks/use-escape.ts';
import { Button } from '../primitives/button.tsx';
import { IconButton } from '../primitives/icon-button.tsx';
import classes from './dialog.module.css';
import { LoadingDialog, useOverlays } from './overlays-on-demand.tsx';

/** Width in px. On a phone, wider dialogs fill the screen. */
const smallWidth = 480;

interface DialogProps {
	isOpen?: boolean;
	onClose: () => void;
	title: string;
	children: ReactNode;
	footer?: ReactNode;
	/** Shown beside Cancel; replaces `footer`. */
	submitButton?: { label: string; isBusy: boolean; variant?: 'primary' | 'danger' } | undefined;
	width?: number;
	/** With `onSubmit`, the whole dialog is a form. */
	onSubmit?: FormEventHandler;
	/** Whether Escape and a click outside close the dialog. */
	isDismissible?: boolean;
	/** Whether closing would lose input. If so, the dialog asks before it closes. */
	isDirty?: boolean;
	/** Texts of the question before closing with unsaved input. */
	discardPrompt?: { question: string; confirmLabel: string };
}

/** A modal dialog. It keeps the focus inside and returns the focus on closing. */
export function Dialog(props: DialogProps) {
	const { isOpen = true, onClose, title, children, footer, submitButton, width = smallWidth, onSubmit } = props;
	const { isDismissible = true, isDirty = false } = props;
	const { discardPrompt = { question: m.common_discard_question(), confirmLabel: m.common_discard() } } = props;
	const [isAskingDiscard, setAskingDiscard] = useState(false);
	useReturnFocus(isOpen);
	const requestClose = () => (isDirty ? setAskingDiscard(true) : onClose());
	useEscape(isOpen, isDismissible ? requestClose : undefined);
	usePreservedScreen(isOpen && isDirty);
	const isFullScreen =
		useMediaQuery('(max-width: 699px)', false, { getInitialValueInEffect: false }) && width > smallWidth;
	const overlays = useOverlays(isOpen, onClose);
	if (overlays === undefined) return isOpen && <LoadingDialog onClose={requestClose} />;
	const { Modal } = overlays;
	const inner = (
		<>
			<Flex
				component="header"
				align="center"
				justify="space-between"
				gap={12}
				flex="none"
				mih={60}
				className={classes.header}
			>
				<Modal.Title>{title}</Modal.Title>
				<IconButton label={m.common_close()} icon={IconX} onClick={requestClose} />
			</Flex>
			<div className={classes.body}>{children}</div>
			{submitButton === undefined && footer !== undefined && <footer className={classes.footer}>{footer}</footer>}
			{submitButton !== undefined && (
				<footer className={classes.footer}>
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button type="submit" variant={submitButton.variant ?? 'primary'} disabled={submitButton.isBusy}>
						{submitButton.label}
					</Button>
				</footer>
			)}
		</>
	);
	const innerProps = { direction: 'column', flex: 1, mih: 0, children: inner } as const;
	return (
		<>
			<Modal.Root
				opened={isOpen}
				onClose={requestClose}
				size={width}
				fullScreen={isFullScreen}
				padding={0}
				// A click outside the question must not close the dialog below it.
				closeOnClickOutside={isDismissible && !isAskingDiscard}
				closeOnEscape={false}
				centered
				data-full-screen={isFullScreen || undefined}
				classNames={{ content: classes.content, title: classes.title }}
			>
				<Modal.Overlay backgroundOpacity={1} color="var(--scrim)" />
				<Modal.Content>
					{onSubmit === undefined ? (
						<Flex {...innerProps} />
					) : (
						<Flex
							component="form"
							noValidate
							onSubmit={(event) => {
								event.preventDefault();
								onSubmit(event);
							}}
							{...innerProps}
						/>
					)}
				</Modal.Content>
			</Modal.Root>
			{/* Mounted only while open: otherwise one press of Escape would open and close the question. */}
			{isOpen && isAskingDiscard && (
				<ConfirmDialog
					onClose={() => setAskingDiscard(false)}
					onConfirm={() => {
						setAskingDiscard(false);
						onClose();
					}}
					{...discardPrompt}
				/>
			)}
		</>
	);
}

interface ConfirmDialogProps {
	isOpen?: boolean;
	onClose: () => void;
	onConfirm: () => void;
	question: string;
	detail?: ReactNode;
	confirmLabel: string;
	isBusy?: boolean;
	/** `primary`: for actions that can be undone. The focus is then on the confirming button instead of Cancel. */
	variant?: 'danger' | 'primary';
}

export function ConfirmDialog(props: ConfirmDialogProps) {
	const { isOpen = true, onClose, onConfirm, question, detail, confirmLabel, isBusy, variant = 'danger' } = props;
	const isDangerous = variant === 'danger';
	return (
		<Dialog
			isOpen={isOpen}
			onClose={onClose}
			title={question}
			width={440}
			footer={
				<>
					<Button onClick={onClose} data-autofocus={isDangerous || undefined}>
						{m.common_cancel()}
					</Button>
					<Button variant={variant} onClick={onConfirm} disabled={isBusy} data-autofocus={!isDangerous || undefined}>
						{confirmLabel}
					</Button>
				</>
			}
		>
			{detail}
		</Dialog>
	);
}
