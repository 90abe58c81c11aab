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

/** Questions and short forms; wider dialogs take the whole of a phone. */
const smallWidth = 480;

interface DialogProps {
	isOpen: boolean;
	onClose: () => void;
	title: string;
	children: ReactNode;
	/** Buttons at the foot. */
	footer?: ReactNode;
	/** In px. Source: the look's measures. */
	width?: number;
	/** Makes the dialog one form, its foot included. */
	onSubmit?: FormEventHandler<HTMLFormElement>;
	/** Whether Escape and a press outside close it. */
	isDismissible?: boolean;
	/** Something typed, or chosen, would be lost: Escape, a press outside and the cross ask first. */
	isDirty?: boolean;
	/** What they ask; without it, whether to discard what was typed. */
	discardPrompt?: { question: string; confirmLabel: string };
}

/** A modal dialog: head, scrolling body, foot. Focus is kept inside and returns to where it was. */
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
	const dialog = (
		<Modal.Root
			opened={isOpen}
			onClose={requestClose}
			size={width}
			fullScreen={isFullScreen}
			padding={0}
			// The question above it is answered first.
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
	);
	return (
		<>
			{dialog}
			{/* Mounted late: the Escape that asks must not be heard as the answer. */}
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
	/** The specified question. */
	question: string;
	/** What exactly it is about. */
	detail?: ReactNode;
	confirmLabel: string;
	isBusy?: boolean;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
	isOpen,
	onClose,
	onConfirm,
	question,
	detail,
	confirmLabel,
	isBusy,
}: ConfirmDialogProps) {
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
