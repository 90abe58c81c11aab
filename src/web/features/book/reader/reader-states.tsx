import { Center } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useCanGoBack, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { DeniedState, EmptyState } from '#web/ui/states/states.tsx';
import classes from './reader.module.css';
import { useReaderLabels } from './reader-labels.ts';

/** Shown when the user has no access to the book, or has lost it. */
export function BookAccessDenied() {
	return (
		<FullScreenState>
			<DeniedState title={m.reader_denied_title()} text={m.reader_denied_text()} action={<DashboardLink />} />
		</FullScreenState>
	);
}

/** A state that fills the whole screen. */
export function FullScreenState({ children }: { children: ReactNode }) {
	return (
		<Center component="main" id="content" tabIndex={-1} mih="calc(100dvh - var(--view-banner, 0px))">
			{children}
		</Center>
	);
}

export function DashboardLink() {
	return <ButtonLink to="/dashboard">{m.reader_to_dashboard()}</ButtonLink>;
}

/** The same link as an icon in the reader's bar. */
export function DashboardIconLink() {
	return (
		<ButtonLink
			variant="quiet"
			to="/dashboard"
			aria-label={m.reader_to_dashboard()}
			icon={<IconArrowLeft {...iconProps} />}
		/>
	);
}

/** Shown while the reader's watermarked copy is being made, or cannot be made; updates by itself. */
export function WatermarkedCopyScreen({ copy }: Pick<ShelfEdition, 'copy'>) {
	if (copy.state !== 'making') {
		return (
			<FullScreenState>
				<EmptyState text={m.reader_watermark_failed()} action={<DashboardLink />} />
			</FullScreenState>
		);
	}
	return (
		<FullScreenState>
			<div role="status">
				<EmptyState text={m.reader_watermark_making({ percent: copy.percent })} action={<DashboardLink />} />
				<ProgressBar label={m.reader_watermark_progress()} value={copy.percent / 100} />
			</div>
		</FullScreenState>
	);
}

/** Placeholder while the book or file opens. */
export function ReaderLoading() {
	const labels = useReaderLabels();
	return (
		<div className={classes.loading} role="status" aria-label={labels.loading}>
			<div className={classes.sheet}>
				<Skeleton width="60%" height="32px" />
			</div>
		</div>
	);
}

/** Goes back to the previous screen; if the reader was opened by its URL, to the dashboard. */
export function BackIconButton() {
	const router = useRouter();
	if (!useCanGoBack()) return <DashboardIconLink />;
	return (
		<IconButton label={m.reader_back()} icon={<IconArrowLeft {...iconProps} />} onClick={() => router.history.back()} />
	);
}

/** The same as a button, for full-screen states. */
export function BackButton() {
	const router = useRouter();
	if (!useCanGoBack()) return <DashboardLink />;
	return <Button onClick={() => router.history.back()}>{m.reader_back()}</Button>;
}
