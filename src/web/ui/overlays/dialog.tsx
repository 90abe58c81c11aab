import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { type FormEventHandler, type ReactNode, useState } from 'react';
import { m } from '#messages';
import { usePreservedScreen } from '#web/platform/session/session.ts';
import { useReturnFocus } from '../hooks/focus.ts';
import { useEscape } from '../hooks/use-escape.ts';
import { Button } from '../primitives/button.tsx';
import { iconProps } from '../primitives/icon.ts';
import { IconButton } from '../primitives/icon-button.tsx';
import classes from './dialog.module.css';

/** Width in px of questions and short forms; wider dialogs fill the screen of a phone. */
const smallWidth = 480;

interface DialogProps {
	isOpen: boolean;
	onClose: () => void;
	title: string;
	children: ReactNode;
	footer?: ReactNode;
	/** Width in px. Source: the design's measures. */
	width?: number;
	/** Makes the dialog one form, including its buttons. */
	onSubmit?: FormEventHandler<HTMLFormElement>;
	/** Whether Escape and a click outside close the dialog. */
	isDismissible?: boolean;
	/** Whether something typed or chosen would be lost: Escape, a click outside and the close button ask first. */
	isDirty?: boolean;
	/** Texts of that question; by default, whether to discard what was typed. */
	discardPrompt?: { question: string; confirmLabel: string };
}

/** A modal dialog with a header, a scrolling body and a footer. Focus stays inside and returns on closing. */
export function Dialog(props: DialogProps) {
	const { isOpen, onClose, title, children, footer, width = smallWidth, onSubmit } = props;
	const { isDismissible = true, isDirty = false } = props;
	const { discardPrompt = { question: m.common_discard_question(), confirmLabel: m.common_discard() } } = props;
	const [isAskingDiscard, setAskingDiscard] = useState(false);
	useReturnFocus(isOpen);
	const requestClose = () => (isDirty ? setAskingDiscard(true) : onClose());
	useEscape(isOpen, isDismissible ? requestClose : undefined);
	usePreservedScreen(isOpen && isDirty);
	const isFullScreen =
		useMediaQuery('(max-width: 699px)', false, { getInitialValueInEffect: false }) && width > smallWidth;
	const inner = (
		<>
			<header className={classes.header}>
				<Modal.Title>{title}</Modal.Title>
				<IconButton label={m.common_close()} icon={<IconX {...iconProps} />} onClick={requestClose} />
			</header>
			<div className={classes.body}>{children}</div>
			{footer !== undefined && <footer className={classes.footer}>{footer}</footer>}
		</>
	);
	return (
		<>
			<Modal.Root
				opened={isOpen}
				onClose={requestClose}
				size={width}
				fullScreen={isFullScreen}
				padding={0}
				// The question on top is answered first.
				closeOnClickOutside={isDismissible && !isAskingDiscard}
				closeOnEscape={false}
				centered
				data-full-screen={isFullScreen || undefined}
				classNames={{ content: classes.content, title: classes.title }}
			>
				<Modal.Overlay backgroundOpacity={1} color="var(--scrim)" />
				<Modal.Content>
					{onSubmit === undefined ? (
						<div className={classes.frame}>{inner}</div>
					) : (
						<form className={classes.frame} onSubmit={onSubmit} noValidate>
							{inner}
						</form>
					)}
				</Modal.Content>
			</Modal.Root>
			{/* Mounted only while open, so that the Escape that opens the question does not also answer it. */}
			{isOpen && isAskingDiscard && (
				<ConfirmDialog
					isOpen
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
	isOpen: boolean;
	onClose: () => void;
	onConfirm: () => void;
	question: string;
	detail?: ReactNode;
	confirmLabel: string;
	isBusy?: boolean;
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
	const { isOpen, onClose, onConfirm, question, detail, confirmLabel, isBusy } = props;
	return (
		<Dialog
			isOpen={isOpen}
			onClose={onClose}
			title={question}
			width={440}
			footer={
				<>
					<Button onClick={onClose} data-autofocus>
						{m.common_cancel()}
					</Button>
					<Button variant="danger" onClick={onConfirm} disabled={isBusy}>
						{confirmLabel}
					</Button>
				</>
			}
		>
			{detail}
		</Dialog>
	);
}
