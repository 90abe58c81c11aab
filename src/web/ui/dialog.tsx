import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { type FormEventHandler, type ReactNode, useState } from 'react';
import { m } from '#messages';
import { useScreenHold } from '#web/platform/use-screen-hold.ts';
import { Button } from './button.tsx';
import classes from './dialog.module.css';
import { iconProps } from './icon.ts';
import { IconButton } from './icon-button.tsx';
import { useEscape } from './use-escape.ts';
import { useFocusBack } from './use-focus-back.ts';

/** Questions and short forms; wider dialogs take the whole of a phone. */
const smallWidth = 480;

interface DialogProps {
	isOpen: boolean;
	onClose: () => void;
	title: string;
	children: ReactNode;
	/** Buttons at the foot. */
	foot?: ReactNode;
	/** In px. Source: the look's measures. */
	width?: number;
	/** Makes the dialog one form, its foot included. */
	onSubmit?: FormEventHandler<HTMLFormElement>;
	/** Whether Escape and a press outside close it. */
	isDismissible?: boolean;
	/** Something typed, or chosen, would be lost: Escape, a press outside and the cross ask first. */
	isTyped?: boolean;
	/** What they ask; without it, whether to discard what was typed. */
	leaving?: { question: string; confirmLabel: string };
}

/** A modal dialog: head, scrolling body, foot. Focus is kept inside and returns to where it was. */
export function Dialog(props: DialogProps) {
	const { isOpen, onClose, title, children, foot, width = smallWidth, onSubmit } = props;
	const { isDismissible = true, isTyped = false } = props;
	const { leaving = { question: m.common_discard_question(), confirmLabel: m.common_discard() } } = props;
	const [isLeaving, setLeaving] = useState(false);
	useFocusBack(isOpen);
	const leave = () => (isTyped ? setLeaving(true) : onClose());
	useEscape(isOpen, isDismissible ? leave : undefined);
	useScreenHold(isOpen && isTyped);
	const isFullScreen =
		useMediaQuery('(max-width: 699px)', false, { getInitialValueInEffect: false }) && width > smallWidth;
	const inner = (
		<>
			<header className={classes.head}>
				<Modal.Title>{title}</Modal.Title>
				<IconButton label={m.common_close()} icon={<IconX {...iconProps} />} onClick={leave} />
			</header>
			<div className={classes.body}>{children}</div>
			{foot !== undefined && <footer className={classes.foot}>{foot}</footer>}
		</>
	);
	const dialog = (
		<Modal.Root
			opened={isOpen}
			onClose={leave}
			size={width}
			fullScreen={isFullScreen}
			padding={0}
			// The question above it is answered first.
			closeOnClickOutside={isDismissible && !isLeaving}
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
			{isOpen && isLeaving && (
				<ConfirmDialog
					isOpen
					onClose={() => setLeaving(false)}
					onConfirm={() => {
						setLeaving(false);
						onClose();
					}}
					{...leaving}
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
			foot={
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
