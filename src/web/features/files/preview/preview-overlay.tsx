import { Flex, Modal, Stack } from '@mantine/core';
import { type Icon, IconChevronLeft, IconChevronRight, IconDownload, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { formatSize } from '#web/platform/formats/format.ts';
import screenClasses from '#web/ui/overlays/full-screen.module.css';
import { usePageTouch } from '#web/ui/pdf/viewer/use-page-navigation.ts';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { useLastNonNull } from '../../../ui/hooks/latest-value.ts';
import { PreviewContent } from './preview-content.tsx';
import { adjacentFile, downloadUrl, type PreviewFile } from './preview-file.ts';
import classes from './preview-overlay.module.css';

interface PreviewOverlayProps {
	files: readonly PreviewFile[];
	shownId: string | null;
	onShow: (id: string) => void;
	onClose: () => void;
}

/** Shows a file in full screen, with next and previous. Focus returns to the row on close. */
export function PreviewOverlay({ files, shownId, onShow, onClose }: PreviewOverlayProps) {
	const current = files.find((file) => file.id === shownId) ?? null;
	const file = useLastNonNull(current);
	const step = (direction: 1 | -1) => {
		const next = file && adjacentFile(files, file.id, direction);
		if (next) onShow(next.id);
	};
	const stepButton = (direction: 1 | -1, label: string, icon: Icon) => (
		<IconButton
			label={label}
			icon={icon}
			disabled={file === null || adjacentFile(files, file.id, direction) === undefined}
			onClick={() => step(direction)}
		/>
	);
	const stage = useRef<HTMLDivElement>(null);
	const swipe = usePageTouch(stage, { turnPage: step });

	// In a PDF the arrow keys and swipes turn pages; in a player they seek.
	useEffect(() => {
		if (current === null || current.preview === 'pdf') return;
		const onKey = ({ key, target }: KeyboardEvent) => {
			const next = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : undefined;
			const to = next && adjacentFile(files, current.id, next);
			if (to && !(target instanceof HTMLMediaElement)) onShow(to.id);
		};
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, [current, files, onShow]);

	// Preloads the next image.
	useEffect(() => {
		const next = current === null ? undefined : adjacentFile(files, current.id, 1);
		if (next?.preview === 'image') new Image().src = next.url;
	}, [current, files]);

	return (
		<Modal.Root
			opened={current !== null}
			onClose={onClose}
			fullScreen
			padding={0}
			transitionProps={{ transition: 'fade', duration: 160 }}
		>
			<Modal.Content classNames={{ content: screenClasses.content }} radius={0}>
				{file && (
					<Flex direction="column" flex={1} mih={0}>
						<header className={screenClasses.bar}>
							<Stack gap={2} flex={1} miw={0} style={{ lineHeight: 1.3 }}>
								<Modal.Title className={screenClasses.name} title={file.name}>
									<bdi>{file.name}</bdi>
								</Modal.Title>
								<p className={screenClasses.meta}>{metaOf(files, file)}</p>
							</Stack>
							{stepButton(-1, m.files_previous_file(), IconChevronLeft)}
							{stepButton(1, m.files_next_file(), IconChevronRight)}
							<ButtonAnchor
								variant="quiet"
								aria-label={m.files_download_of({ name: file.name })}
								icon={IconDownload}
								href={downloadUrl(file.url)}
								download
							>
								<span className={classes.onlyWide}>{m.files_download()}</span>
							</ButtonAnchor>
							<IconButton label={m.common_close()} icon={IconX} onClick={onClose} data-autofocus />
						</header>
						<Flex
							direction="column"
							flex={1}
							mih={0}
							ref={stage}
							className={isSwiped(file) ? classes.swiped : undefined}
							{...(isSwiped(file) && swipe)}
						>
							<PreviewContent key={file.id} file={file} />
						</Flex>
						<p className={textClasses.hidden} role="status">
							{`${file.name}, ${metaOf(files, file)}`}
						</p>
					</Flex>
				)}
			</Modal.Content>
		</Modal.Root>
	);
}

/** Whether a swipe changes the file. In a PDF it turns pages, in a player it seeks. */
function isSwiped({ preview }: PreviewFile): boolean {
	return preview === 'image' || preview === null;
}

function metaOf(files: readonly PreviewFile[], file: PreviewFile): string {
	const index = files.findIndex(({ id }) => id === file.id) + 1;
	const size = formatSize(file.size);
	return index > 0 ? `${size} · ${m.files_position({ index, count: files.length })}` : size;
}
