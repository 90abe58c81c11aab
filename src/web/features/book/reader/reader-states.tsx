import { Center } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useCanGoBack, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { DeniedState, EmptyState } from '#web/ui/states/states.tsx';
import classes from './reader.module.css';
import { useReaderLabels } from './reader-labels.ts';

export function BookAccessDenied() {
	return (
		<FullScreenState>
			<DeniedState title={m.reader_denied_title()} text={m.reader_denied_text()} action={<DashboardLink />} />
		</FullScreenState>
	);
}

export function FullScreenState({ children }: { children: ReactNode }) {
	return (
		<Center component="main" id="content" tabIndex={-1} mih="calc(100dvh - var(--view-banner, 0px))">
			{children}
		</Center>
	);
}

/** `isIcon`: shows only an icon, for the reader's bar. */
interface BackControlProps {
	isIcon?: boolean;
}

export function DashboardLink({ isIcon = false }: BackControlProps) {
	const label = m.reader_to_dashboard();
	if (!isIcon) return <ButtonLink to="/dashboard">{label}</ButtonLink>;
	return <ButtonLink variant="quiet" to="/dashboard" aria-label={label} icon={IconArrowLeft} />;
}

/** Shown while the user's watermarked copy is being created, and after its creation has failed. */
export function WatermarkedCopyScreen({ copy }: Pick<ShelfEdition, 'copy'>) {
	return (
		<FullScreenState>
			{copy.state === 'making' ? (
				<div role="status">
					<EmptyState text={m.reader_watermark_making({ percent: copy.percent })} action={<DashboardLink />} />
					<ProgressBar label={m.reader_watermark_progress()} value={copy.percent / 100} />
				</div>
			) : (
				<EmptyState text={m.reader_watermark_failed()} action={<DashboardLink />} />
			)}
		</FullScreenState>
	);
}

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

export function BackButton({ isIcon = false }: BackControlProps) {
	const router = useRouter();
	const goBack = () => router.history.back();
	if (!useCanGoBack()) return <DashboardLink isIcon={isIcon} />;
	if (!isIcon) return <Button onClick={goBack}>{m.reader_back()}</Button>;
	return <IconButton label={m.reader_back()} icon={IconArrowLeft} onClick={goBack} />;
}
