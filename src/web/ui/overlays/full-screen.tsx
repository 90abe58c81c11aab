import { Stack } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { m } from '#messages';
import { useReturnFocus } from '../hooks/focus.ts';
import { IconButton } from '../primitives/icon-button.tsx';
import { Skeleton } from '../states/skeleton.tsx';
import classes from './full-screen.module.css';
import { LoadingDialog, useOverlays } from './overlays-on-demand.tsx';

/** A dialog that fills the screen. Mounting opens the dialog. The header should be a {@link FullScreenBar}. */
export function FullScreenDialog({ onClose, children }: { onClose: () => void; children: ReactNode }) {
	useReturnFocus();
	const overlays = useOverlays(true, onClose);
	if (overlays === undefined) return <LoadingDialog onClose={onClose} />;
	const { Modal } = overlays;
	return (
		<Modal.Root opened onClose={onClose} returnFocus={false} fullScreen padding={0} transitionProps={{ duration: 0 }}>
			<Modal.Content classNames={{ content: classes.content }} radius={0}>
				{children}
			</Modal.Content>
		</Modal.Root>
	);
}

interface FullScreenBarProps {
	name: string;
	meta?: string;
	onClose: () => void;
	/** Buttons before the close button. */
	children?: ReactNode;
}

/** On mount, the heading gets the focus unless an element of the dialog has it. */
export function FullScreenBar({ name, meta, onClose, children }: FullScreenBarProps) {
	const title = useRef<HTMLHeadingElement>(null);
	const overlays = useOverlays();
	useEffect(() => {
		const isInside = document.activeElement?.closest('[role="dialog"]') != null;
		if (!isInside) title.current?.focus();
	}, []);
	return (
		<header className={classes.bar}>
			<Stack gap={2} flex={1} miw={0}>
				{overlays !== undefined && (
					<overlays.Modal.Title ref={title} tabIndex={-1} data-autofocus className={classes.name} title={name}>
						<bdi>{name}</bdi>
					</overlays.Modal.Title>
				)}
				{meta !== undefined && <p className={classes.meta}>{meta}</p>}
			</Stack>
			{children}
			<IconButton label={m.common_close()} icon={IconX} onClick={onClose} />
		</header>
	);
}

export function Stage({ children }: { children: ReactNode }) {
	return (
		<div className={classes.stage}>
			<div className={classes.centre}>{children}</div>
		</div>
	);
}

export function StageSkeleton() {
	return (
		<Stage>
			<div role="status" aria-label={m.common_loading()}>
				<Skeleton width="min(480px, 80vw)" height="min(640px, 60dvh)" />
			</div>
		</Stage>
	);
}
