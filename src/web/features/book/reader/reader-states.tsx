import { Box, Center, Flex } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useCanGoBack, useRouter } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { DeniedState, EmptyState } from '#web/ui/states/states.tsx';

const bookLabels = {
	loading: m.reader_loading,
	failed: m.reader_failed,
	search: m.reader_search,
	progress: m.reader_progress,
	noMarks: m.reader_annotations_none,
};

export const fileLabels: typeof bookLabels = {
	loading: m.reader_file_loading,
	failed: m.reader_file_failed,
	search: m.reader_file_search,
	progress: m.reader_file_progress,
	noMarks: m.reader_file_annotations_none,
};

/** Texts of the reader about the book, or about a file. */
export const ReaderLabels = createContext(bookLabels);

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

const pageEdge = '0 0 0 1px var(--page-line)';

export function ReaderLoading() {
	const labels = useContext(ReaderLabels);
	return (
		<Flex flex={1} justify="center" align="start" p={24} role="status" aria-label={labels.loading()}>
			<Box w="min(668px, 100%)" p="12% 13%" bg="var(--page-bg)" style={{ aspectRatio: '2 / 3', boxShadow: pageEdge }}>
				<Skeleton width="60%" height="32px" />
			</Box>
		</Flex>
	);
}

export function BackButton({ isIcon = false }: BackControlProps) {
	const router = useRouter();
	const goBack = () => router.history.back();
	if (!useCanGoBack()) return <DashboardLink isIcon={isIcon} />;
	if (!isIcon) return <Button onClick={goBack}>{m.reader_back()}</Button>;
	return <IconButton label={m.reader_back()} icon={IconArrowLeft} onClick={goBack} />;
}
